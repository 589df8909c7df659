import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Longer lines are split, so that an app cannot fill the memory of the runtime with one line. */
const LINE_LIMIT = 16 * 1024;
/** A flood beyond this rate waits in the pipe: it slows the app down and not the runtime. */
const COST_PER_SECOND = 1024 * 1024;
/** Each line costs this much besides its characters: empty lines are work as well. */
const LINE_COST = 128;
/** The rate is granted in short steps, so that requests of other apps wait for a few lines at most. */
const STEP_MS = 20;
const COST_PER_STEP = (COST_PER_SECOND * STEP_MS) / 1_000;
/** What may be read at once after a quiet time. */
const BURST = 8 * COST_PER_STEP;
/** What is read of a process that has exited: everything that its pipes hold, unless the lines are very short. */
const FINAL_ALLOWANCE = 4 * BURST;
const LAST_CHARACTERS = 2 * 1024;

/** Splits the output of a process into lines without their breaks, of at most 16 Ki characters. */
export class LineReader {
  readonly #decoder = new StringDecoder('utf8');
  /** What was read and not yet passed on, from `#at`. */
  #text = '';
  #at = 0;
  #allowance = BURST;
  #grants: NodeJS.Timeout | undefined;
  #isEnded = false;
  #isFinishing = false;

  constructor(
    private readonly output: Readable,
    private readonly onLine: (line: string) => void,
  ) {
    output.on('data', (chunk: Buffer) => this.#add(this.#decoder.write(chunk)));
    output.once('end', () => {
      this.#isEnded = true;
      this.#add(this.#decoder.end());
    });
    output.once('close', () => this.finish());
    output.on('error', () => undefined);
  }

  /**
   * Ends the limit of the rate, because the process has exited. Of a flood that waits, only the last lines are passed on:
   * they say why it exited.
   */
  finish(): void {
    this.#isFinishing = true;
    this.#allowance = FINAL_ALLOWANCE;
    this.#stopGrants();
    this.#pump();
    this.output.resume();
  }

  #add(text: string): void {
    this.#text = this.#text.slice(this.#at) + text;
    this.#at = 0;
    this.#pump();
  }

  /** Passes on what the rate allows. Reads on when nothing more waits. */
  #pump(): void {
    for (;;) {
      if (this.#allowance <= 0 && !this.#isFinishing) return this.#wait();
      if (this.#allowance <= 0) this.#at = Math.max(this.#at, this.#text.length - LAST_CHARACTERS);
      const line = this.#next();
      if (line === undefined) break;
      this.#allowance -= line.length + LINE_COST;
      this.onLine(line.replace(/\r$/, ''));
    }
    if (this.#allowance < BURST && !this.#isFinishing) this.#grant();
  }

  /** @returns undefined when no whole line is there. */
  #next(): string | undefined {
    const end = this.#text.indexOf('\n', this.#at);
    const isWhole = end >= 0 && end - this.#at <= LINE_LIMIT;
    const left = this.#text.length - this.#at;
    if (!isWhole && left < LINE_LIMIT && !(this.#isEnded && left > 0)) return undefined;
    const from = this.#at;
    const to = isWhole ? end : Math.min(from + LINE_LIMIT, this.#text.length);
    this.#at = isWhole ? end + 1 : to;
    return this.#text.slice(from, to);
  }

  /** Reads nothing until the next step. */
  #wait(): void {
    this.output.pause();
    this.#grant();
  }

  #grant(): void {
    this.#grants ??= setInterval(() => {
      this.#allowance = Math.min(BURST, this.#allowance + COST_PER_STEP);
      if (this.#allowance === BURST) this.#stopGrants();
      if (this.#allowance <= 0 || !this.output.isPaused()) return;
      this.output.resume();
      this.#pump();
    }, STEP_MS).unref();
  }

  #stopGrants(): void {
    clearInterval(this.#grants);
    this.#grants = undefined;
  }
}
