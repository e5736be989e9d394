import { write, writeSync } from 'node:fs';

/** So many characters wait at most for a disk that is full, or a reader who takes nothing; what comes beyond is let go of. */
const MOST_WAITING = 1_048_576;
const AGAIN_MS = 100;
/** So much is written at once, in whole lines: a pipe that several processes write to takes it in one piece. */
const PIECE = 4_096;

/**
 * Where the log is written: a file or pipe that is open already. Nobody waits for it, and whatever happens to it, as where the disk is full,
 * the server goes on and can be stopped; pino's own output ends the process then, or keeps it from ending.
 */
export class LogOutput {
  readonly #fd: number;
  #waiting = '';
  /** What is being written, or has to be tried again. */
  #piece: Buffer = Buffer.alloc(0);
  #isUnderWay = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(lines: string): void {
    if (this.#waiting.length + lines.length > MOST_WAITING) return;
    this.#waiting += lines;
    if (!this.#isUnderWay && !this.#timer) this.#writeSome();
  }

  /** Writes what waits as far as that goes, at once: for the end of the process. */
  flush(): void {
    // What is under way comes to its end by itself.
    const first = this.#isUnderWay ? [] : [this.#piece];
    let left = Buffer.concat([...first, Buffer.from(this.#waiting)]);
    try {
      while (left.length > 0) left = left.subarray(writeSync(this.#fd, left));
    } catch {
      // Nobody is left to be told.
    }
    this.#waiting = '';
  }

  #writeSome(): void {
    if (this.#piece.length === 0) {
      const end = this.#waiting.length <= PIECE ? 0 : this.#waiting.lastIndexOf('\n', PIECE) + 1;
      this.#piece = Buffer.from(this.#waiting.slice(0, end || undefined));
      this.#waiting = end === 0 ? '' : this.#waiting.slice(end);
    }
    if (this.#piece.length === 0) return;
    this.#isUnderWay = true;
    write(this.#fd, this.#piece, (error, written) => {
      this.#isUnderWay = false;
      this.#piece = this.#piece.subarray(written);
      if (!error) this.#writeSome();
      else this.#timer = setTimeout(() => this.#tryAgain(), AGAIN_MS).unref();
    });
  }

  #tryAgain(): void {
    this.#timer = undefined;
    this.#writeSome();
  }
}
