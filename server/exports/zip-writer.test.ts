import { crc32, inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ZipWriter } from './zip-writer.ts';

/** What the archive's directory says of each entry, and what stands where it leads to (APPNOTE 6.3.10, 4.3.7 and 4.3.12). */
function* entriesOf(archive: Buffer) {
  const end = archive.lastIndexOf('PK\x05\x06');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const [crc, packed, size] = [16, 20, 24].map((field) => archive.readUInt32LE(at + field));
    const local = archive.readUInt32LE(at + 42);
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = inflateRawSync(archive.subarray(from, from + (packed ?? 0)));
    yield { name, crc, size, bytes };
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}

it('an archive tells the check sum and the length of what went in, in many pieces, in one, and in none', async () => {
  const pieces = Array.from({ length: 30 }, (_, at) =>
    Buffer.from(`行 ${at} ${Math.sin(at)}\n`.repeat(7_000 + at)),
  );
  const zip = new ZipWriter();
  const archive: Buffer[] = [];
  zip.open('many');
  for (const piece of pieces) archive.push(await zip.write(piece));
  archive.push(await zip.shut(), await zip.add('one', '字'), await zip.add('none', ''), zip.finish());
  const wanted = { many: Buffer.concat(pieces), one: Buffer.from('字'), none: Buffer.alloc(0) };
  const found = [...entriesOf(Buffer.concat(archive))];
  expect(found.map(({ name }) => name)).toEqual(Object.keys(wanted));
  for (const [at, bytes] of Object.values(wanted).entries()) {
    expect(found[at]).toMatchObject({ crc: crc32(bytes), size: bytes.length });
    expect(found[at]?.bytes.equals(bytes)).toBe(true);
  }
});
