import { messageOf } from '../dev-services/errors.ts';

const QUIET_MILLISECONDS = 300;

interface Reloadable {
  close(): Promise<void>;
}

/** Restarts a service when its files change, one restart at a time. */
export class Reloader {
  readonly #start: () => Promise<Reloadable>;
  readonly #report: (message: string) => void;
  #current: Reloadable | undefined;
  #queue: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(start: () => Promise<Reloadable>, report: (message: string) => void) {
    this.#start = start;
    this.#report = report;
  }

  /** Reloads after a quiet period, because compilers write many files. */
  reloadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), QUIET_MILLISECONDS);
  }

  /** Reports a failed start instead of throwing: the next change may fix it. */
  reload(): Promise<void> {
    return (this.#queue = this.#queue.then(async () => {
      if (this.#closed) return;
      await this.#current?.close();
      this.#current = undefined;
      try {
        this.#current = await this.#start();
        this.#report('ready');
      } catch (error) {
        this.#report(messageOf(error));
      }
    }));
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closed = true;
    return (this.#queue = this.#queue.then(() => this.#current?.close()));
  }
}
