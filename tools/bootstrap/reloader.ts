import { messageOf } from '../dev-services/errors.ts';

const QUIET_MILLISECONDS = 300;

interface Reloadable {
  close(): Promise<void>;
}

/** Something that is stopped and started again, one turn at a time, while its files change. */
export class Reloader {
  readonly #start: () => Promise<Reloadable>;
  readonly #tell: (message: string) => void;
  #part: Reloadable | undefined;
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(start: () => Promise<Reloadable>, tell: (message: string) => void) {
    this.#start = start;
    this.#tell = tell;
  }

  /** Once nothing has changed for a moment: compilers write many files. */
  reloadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), QUIET_MILLISECONDS);
  }

  /** A start that fails is told and not thrown: the next change may repair it. */
  reload(): Promise<void> {
    return (this.#turn = this.#turn.then(async () => {
      if (this.#closed) return;
      await this.#part?.close();
      this.#part = undefined;
      try {
        this.#part = await this.#start();
        this.#tell('ready');
      } catch (error) {
        this.#tell(messageOf(error));
      }
    }));
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closed = true;
    return (this.#turn = this.#turn.then(() => this.#part?.close()));
  }
}
