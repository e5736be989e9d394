/** Bytes that are written again and again: four at a time, of which the last may be noughts that do not count. */
export interface Mark {
  readonly words: Uint32Array;
  readonly length: number;
}

const WORD = 4;

export function markOf(text: string): Mark {
  const bytes = Buffer.from(text);
  const words = new Uint32Array(Math.ceil(bytes.length / WORD));
  const all = new DataView(words.buffer);
  bytes.forEach((byte, at) => {
    all.setUint8(at, byte);
  });
  return { words: words.map((_, at) => all.getUint32(WORD * at, true)), length: bytes.length };
}

const BITS = 8;
const NINE = 0x39;

/** Bytes in which the number of a row stands, maybe several times. Of the next row's only the digits that differ are written. */
export class NumberedMark {
  readonly #texts: readonly string[];
  #mark: Mark;
  /** Where the last digits of the number stand. */
  #ends: number[] = [];
  #number = 0;
  /** The first number that has more digits. */
  #longer = 10;

  /** The number stands between these texts. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#mark = this.#written(0);
  }

  with(number: number): Mark {
    if (number === this.#number) return this.#mark;
    if (number === this.#number + 1 && number < this.#longer) for (const end of this.#ends) this.#count(end);
    else this.#mark = this.#written(number);
    this.#number = number;
    return this.#mark;
  }

  #written(number: number): Mark {
    const digits = String(number);
    this.#longer = 10 ** digits.length;
    let length = 0;
    this.#ends = this.#texts.slice(0, -1).map((text) => {
      length += Buffer.byteLength(text) + digits.length;
      return length - 1;
    });
    return markOf(this.#texts.join(digits));
  }

  /** One more, in the digits that end there. */
  #count(end: number): void {
    const { words } = this.#mark;
    for (let at = end; ; at--) {
      const bits = BITS * (at % WORD);
      const word = (at - (at % WORD)) / WORD;
      const before = words[word] ?? 0;
      if (((before >>> bits) & 0xff) !== NINE) {
        words[word] = before + (1 << bits);
        return;
      }
      words[word] = before - (9 << bits);
    }
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

/** The bytes of a file that is being written, up to `at`. */
export class FileBytes {
  to = Buffer.allocUnsafe(1 << 20);
  #view = viewOf(this.to);
  #former = Buffer.allocUnsafe(1 << 20);
  at = 0;

  add(bytes: Uint8Array): void {
    this.room(bytes.length).set(bytes, this.at);
    this.at += bytes.length;
  }

  /** By itself, since for so few bytes a call costs more than copying them. */
  addMark({ words, length }: Mark): void {
    this.room(WORD * words.length);
    for (let each = 0; each < words.length; each++)
      this.#view.setUint32(this.at + WORD * each, words[each] ?? 0, true);
    this.at += length;
  }

  put(byte: number): void {
    this.room(1)[this.at++] = byte;
  }

  /** Where there is room for so many more. */
  room(more: number): Buffer {
    if (this.at + more > this.to.length) {
      const larger = Buffer.allocUnsafe(2 * this.to.length + more);
      this.to.copy(larger, 0, 0, this.at);
      this.to = larger;
      this.#view = viewOf(larger);
    }
    return this.to;
  }

  /** What has been written. It stands while the next is written, whose place is that of the one before. */
  taken(): Buffer {
    const bytes = this.to.subarray(0, this.at);
    if (this.at > 0) [this.to, this.#former] = [this.#former, this.to];
    this.#view = viewOf(this.to);
    this.at = 0;
    return bytes;
  }
}
