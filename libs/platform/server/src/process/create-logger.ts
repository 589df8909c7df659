import { destination, type DestinationStream, type Logger, pino } from 'pino';
import { serializedError } from '../observability/error-record';

/** Lines are written in batches, because one write costs as much as serving a request. */
const BATCH_CHARACTERS = 16_384;
const MAX_DELAY_MS = 250;
const WARN = pino.levels.values['warn'] as number;

/** Buffers lines until a batch is full, for at most 250 ms. */
class BatchingStream implements DestinationStream {
  /** The level of the next line; set by pino. */
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
   * Writes synchronously, for the exit of the process. It uses a second destination, because the asynchronous one would
   * not finish its write and would retry endlessly when the output is closed.
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
 * Creates the logger of the process, which writes to standard output. Lines are written in batches within 250 ms;
 * warnings and errors are written at once. The rest is written when the process ends.
 * @param service the name of the service in every line.
 */
export function createLogger(level: string, service: string): Logger {
  const lines = Object.assign(new BatchingStream(), { [Symbol.for('pino.metadata')]: true });
  process.on('exit', () => lines.flushSync());
  return pino({ level, base: { service }, serializers: { err: serializedError } }, lines);
}
