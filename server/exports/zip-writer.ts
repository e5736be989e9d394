import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

const FOUR_GIB = 2 ** 32;
const DEFLATED = 8;
/** What a piece is packed into mostly: the 16 KB of zlib's own would be many small ones, each with a turn of the event loop. */
const CHUNK_BYTES = 1 << 17;
/** The oldest that the format knows, whatever the zone: the same list gives the same bytes. */
const OLDEST = new Date(1980, 0, 1);

/** An entry, deflated piece by piece outside the event loop. What went in has come out when the next `add` is over, or `end`. */
class Entry implements ZipInputFile {
  readonly filename: string;
  readonly compression = DEFLATED;
  readonly mtime = OLDEST;
  readonly #deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES });
  #packed: Promise<void> | undefined;
  size = 0;
  crc = 0;
  ondata: ZipInputFile['ondata'];

  constructor(filename: string) {
    this.filename = filename;
    this.#deflate.on('data', (piece: Buffer<ArrayBuffer>) => this.#told(piece, false));
    // Closing half way is how an abandoned export ends.
    this.#deflate.on('error', () => undefined);
  }

  async add(bytes: Buffer): Promise<void> {
    this.crc = crc32(bytes, this.crc);
    this.size += bytes.length;
    await this.#packed;
    this.#deflate.write(bytes);
    this.#packed = new Promise((resolve) => this.#deflate.flush(constants.Z_SYNC_FLUSH, resolve));
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#deflate.once('end', resolve));
    this.#deflate.end();
    await ended;
    this.#told(Buffer.alloc(0), true);
  }

  close(): void {
    this.#deflate.destroy();
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
