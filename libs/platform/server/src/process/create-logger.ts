import { destination, type DestinationStream, type Logger, pino } from 'pino';
import { serializedError } from '../observability/error-record';

/** A write costs as much as answering a request, and would be one for every line. */
const BATCH_CHARACTERS = 16_384;
const MAX_DELAY_MS = 250;
const WARN = pino.levels.values['warn'] as number;

/** Keeps lines until there are enough of them, and not longer than a quarter of a second. */
class BatchingStream implements DestinationStream {
  /** Of the line that is written next; pino says so. */
  lastLevel = 0;

  readonly #output = destination({ dest: 1, sync: false });
  #text = '';
  #timer: NodeJS.Timeout | undefined;

  write(line: string): void {
    this.#text += line;
    if (this.lastLevel >= WARN || this.#text.length >= BATCH_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), MAX_DELAY_MS).unref();
  }

  flush(): void {
    const text = this.#take();
    if (text !== '') this.#output.write(text);
  }

  /**
   * Before the process ends: nobody can wait for anything any more. Not over the other output, which would only begin
   * to write, and would try for ever when nobody is there to read.
   */
  flushSync(): void {
    const text = this.#take();
    if (text !== '') destination({ dest: 1, sync: true }).write(text);
  }

  #take(): string {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/**
 * The log of the process, on standard output. Lines are written together, within a quarter of a second; from a warning
 * on at once, and what is left when the process ends.
 * @param service what every line says it comes from.
 */
export function createLogger(level: string, service: string): Logger {
  const lines = Object.assign(new BatchingStream(), { [Symbol.for('pino.metadata')]: true });
  process.on('exit', () => lines.flushSync());
  return pino({ level, base: { service }, serializers: { err: serializedError } }, lines);
}
