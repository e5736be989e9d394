import { inflateRawSync } from 'node:zlib';

/** The entries of a ZIP archive by name, as text. Reads the central directory, as spreadsheets do. */
export function unzipped(archive: Buffer): ReadonlyMap<string, string> {
  const end = archive.lastIndexOf(Buffer.from('504b0506', 'hex'));
  const entries = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const packed = archive.readUInt32LE(at + 20);
    const size = archive.readUInt32LE(at + 24);
    const nameLength = archive.readUInt16LE(at + 28);
    const offset = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const data = offset + 30 + archive.readUInt16LE(offset + 26);
    const text = inflateRawSync(archive.subarray(data, data + packed));
    if (text.length !== size) throw new Error(`${name} holds ${text.length} bytes and not ${size}`);
    entries.set(name, text.toString('utf8'));
    at += 46 + nameLength;
  }
  return entries;
}
