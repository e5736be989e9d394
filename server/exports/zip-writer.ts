import { constants, createGzip } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

const FOUR_GIB = 2 ** 32;
const DEFLATED = 8;
/** What gzip puts before and behind deflated data, where it has no name to tell; behind it the check sum and the length. */
const HEAD_BYTES = 10;
const TAIL_BYTES = 8;
/** What a piece is packed into mostly: the 16 KB of zlib's own would be many small ones, each with a turn of the event loop. */
const CHUNK_BYTES = 1 << 17;
/** The oldest that the format knows, whatever the zone: the same list gives the same bytes. */
const OLDEST = new Date(1980, 0, 1);

/**
 * An entry, deflated piece by piece outside the event loop. What went in has come out when the next `add` is over, or `end`. It is packed as
 * gzip, of which all but the head and the tail is deflated data: the tail tells the check sum, which is worked out while packing.
 */
class Entry implements ZipInputFile {
  readonly filename: string;
  readonly compression = DEFLATED;
  readonly mtime = OLDEST;
  readonly #gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES });
  #packed: Promise<void> | undefined;
  /** What comes after everything went in. */
  #last: Buffer[] | undefined;
  size = 0;
  crc = 0;
  ondata: ZipInputFile['ondata'];

  constructor(filename: string) {
    this.filename = filename;
    let head = HEAD_BYTES;
    this.#gzip.on('data', (piece: Buffer<ArrayBuffer>) => {
      const deflated = piece.subarray(head);
      head -= piece.length - deflated.length;
      if (this.#last) this.#last.push(deflated);
      else this.#told(deflated, false);
    });
    // Closing half way is how an abandoned export ends.
    this.#gzip.on('error', () => undefined);
  }

  async add(bytes: Buffer): Promise<void> {
    this.size += bytes.length;
    await this.#packed;
    this.#gzip.write(bytes);
    this.#packed = new Promise((resolve) => this.#gzip.flush(constants.Z_SYNC_FLUSH, resolve));
  }

  async end(): Promise<void> {
    await this.#packed;
    this.#last = [];
    const ended = new Promise((resolve) => this.#gzip.once('end', resolve));
    this.#gzip.end();
    await ended;
    const last = Buffer.concat(this.#last);
    const tail = last.length - TAIL_BYTES;
    this.crc = last.readUInt32LE(tail);
    this.#told(last.subarray(0, tail), true);
  }

  close(): void {
    this.#gzip.destroy();
  }

  #told(piece: Buffer<ArrayBuffer>, last: boolean): void {
    this.ondata?.(null, piece, last);
  }
}

/**
 * Writes a ZIP archive as a stream: what a method returns comes next in the file. What is written must stand until the next has been, since it
 * is packed meanwhile. An archive holds at most 4 GiB.
 */
export class ZipWriter {
  readonly #out: Uint8Array[] = [];
  #written = 0;
  #entry: Entry | undefined;
  readonly #zip = new Zip((error, piece) => {
    if (error) throw error;
    this.#written += piece.length;
    this.#out.push(piece);
  });

  /** Begins an entry. The one before must have been ended. */
  open(name: string): void {
    this.#entry = new Entry(name);
    this.#zip.add(this.#entry);
  }

  /** Bytes in the entry so far, unpacked. */
  get size(): number {
    return this.#entry?.size ?? 0;
  }

  async write(text: string | Buffer): Promise<Buffer> {
    await this.#opened().add(typeof text === 'string' ? Buffer.from(text) : text);
    return this.#taken();
  }

  /** Ends the entry. */
  async shut(): Promise<Buffer> {
    await this.#opened().end();
    this.#entry = undefined;
    return this.#taken();
  }

  /** A whole entry at once. */
  async add(name: string, text: string): Promise<Buffer> {
    this.open(name);
    return Buffer.concat([await this.write(text), await this.shut()]);
  }

  /** Ends the archive. */
  finish(): Buffer {
    this.#zip.end();
    return this.#taken();
  }

  close(): void {
    this.#entry?.close();
  }

  #opened(): Entry {
    if (!this.#entry) throw new Error('no entry is open');
    return this.#entry;
  }

  #taken(): Buffer {
    if (this.#written >= FOUR_GIB) throw new Error('the archive grew over 4 GiB');
    return Buffer.concat(this.#out.splice(0));
  }
}
