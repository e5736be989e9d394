import { constants, crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';

interface Entry {
  name: Buffer;
  offset: number;
  crc: number;
  packed: number;
  size: number;
}

const FOUR_GIB = 2 ** 32;
const VERSION = 20;
/** The sizes follow the data, and names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
/** 1980-01-01: the oldest the format knows; the same list gives the same bytes. */
const DATE = 0x0021;

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(DATE, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptor({ crc, packed, size }: Entry): Buffer {
  const text = Buffer.alloc(16);
  text.writeUInt32LE(0x08074b50, 0);
  text.writeUInt32LE(crc, 4);
  text.writeUInt32LE(packed, 8);
  text.writeUInt32LE(size, 12);
  return text;
}

function centralHeader({ name, offset, crc, packed, size }: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(VERSION, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(DEFLATED, 10);
  header.writeUInt16LE(DATE, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(packed, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
}

function endOfCentral(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}

/** Deflates piece by piece; what went in has come out when `add` is over. */
class Deflater {
  readonly #stream: DeflateRaw = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  readonly #out: Buffer[] = [];

  constructor() {
    this.#stream.on('data', (chunk: Buffer) => this.#out.push(chunk));
    // Closing half way is how an abandoned export ends.
    this.#stream.on('error', () => undefined);
  }

  async add(bytes: Buffer): Promise<Buffer> {
    this.#stream.write(bytes);
    await new Promise<void>((resolve) => this.#stream.flush(constants.Z_SYNC_FLUSH, resolve));
    return Buffer.concat(this.#out.splice(0));
  }

  async end(): Promise<Buffer> {
    const ended = new Promise((resolve) => this.#stream.once('end', resolve));
    this.#stream.end();
    await ended;
    return Buffer.concat(this.#out.splice(0));
  }

  close(): void {
    this.#stream.destroy();
  }
}

/** Writes a ZIP archive as a stream: what a method returns comes next in the file. An entry holds at most 4 GiB. */
export class ZipWriter {
  readonly #entries: Entry[] = [];
  #offset = 0;
  #deflater: Deflater | undefined;
  #current: Entry | undefined;

  /** Begins an entry. The one before must have been ended. */
  open(name: string): Buffer {
    const entry = { name: Buffer.from(name), offset: this.#offset, crc: 0, packed: 0, size: 0 };
    this.#current = entry;
    this.#entries.push(entry);
    this.#deflater = new Deflater();
    return this.#count(localHeader(entry.name));
  }

  /** Bytes in the entry so far, unpacked. */
  get size(): number {
    return this.#current?.size ?? 0;
  }

  async write(text: string): Promise<Buffer> {
    const { deflater, entry } = this.#opened();
    const bytes = Buffer.from(text);
    entry.crc = crc32(bytes, entry.crc);
    entry.size += bytes.length;
    return this.#pack(entry, await deflater.add(bytes));
  }

  /** Ends the entry. */
  async shut(): Promise<Buffer> {
    const { deflater, entry } = this.#opened();
    const rest = this.#pack(entry, await deflater.end());
    this.#deflater = undefined;
    return Buffer.concat([rest, this.#count(descriptor(entry))]);
  }

  /** A whole entry at once. */
  async add(name: string, text: string): Promise<Buffer> {
    return Buffer.concat([this.open(name), await this.write(text), await this.shut()]);
  }

  /** Ends the archive. */
  finish(): Buffer {
    const central = Buffer.concat(this.#entries.map(centralHeader));
    return Buffer.concat([central, endOfCentral(this.#entries.length, central.length, this.#offset)]);
  }

  close(): void {
    this.#deflater?.close();
  }

  #opened(): { deflater: Deflater; entry: Entry } {
    if (!this.#deflater || !this.#current) throw new Error('no entry is open');
    return { deflater: this.#deflater, entry: this.#current };
  }

  #pack(entry: Entry, packed: Buffer): Buffer {
    entry.packed += packed.length;
    return this.#count(packed);
  }

  #count(bytes: Buffer): Buffer {
    this.#offset += bytes.length;
    if (this.#offset >= FOUR_GIB) throw new Error('the archive grew over 4 GiB');
    return bytes;
  }
}
