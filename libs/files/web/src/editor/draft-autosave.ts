import { inject, Injectable, signal } from '@angular/core';
import { type Draft } from '../drafts/draft';
import { Drafts, acquireDraftLock } from '../drafts/drafts';

/** How long after the last stroke a draft is written. */
const PAUSE_MS = 300;

/** What a draft is made of, or nothing when there is nothing to keep. */
export type DraftSource = () => Omit<Draft, 'id' | 'writtenAt'> | undefined;

/** Keeps the draft of one editor on this device while it is open: shortly after each change, and before the page goes. */
@Injectable()
export class DraftAutosave {
  readonly #drafts = inject(Drafts);
  readonly #isKept = signal(true);
  #id = '';
  #release: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #source: DraftSource = () => undefined;
  #isStored = false;
  #touchedAt = 0;
  #beginning = 0;

  /** Whether this device could keep what was written last. */
  readonly isPersisted = this.#isKept.asReadonly();

  constructor() {
    // Before the next page is even asked for, there is still time to write; on phones only the end is told.
    addEventListener('beforeunload', this.#flushOrAsk);
    addEventListener('pagehide', this.#flush);
    document.addEventListener('visibilitychange', this.#flushHidden);
  }

  /** Takes over the draft that was left of a file; undefined when there is none. */
  async begin(key: string, source: DraftSource): Promise<Draft | undefined> {
    const beginning = ++this.#beginning;
    this.#source = source;
    const claimed = await this.#drafts.claim(key);
    if (beginning !== this.#beginning) {
      // Another file has been opened meanwhile, and a draft belongs to one file alone.
      claimed?.release();
      return undefined;
    }
    this.#id = claimed?.draft.id ?? crypto.randomUUID();
    this.#isStored = claimed !== undefined;
    this.#touchedAt = claimed?.draft.writtenAt ?? Date.now();
    if (claimed) this.#release = claimed.release;
    // Nobody else knows a new id, so it is there for the taking.
    else void acquireDraftLock(this.#id).then((release) => this.#hold(beginning, release));
    return claimed?.draft;
  }

  /** Something has changed. */
  touch(): void {
    this.#touchedAt = Date.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#flush, PAUSE_MS);
  }

  /** Writes what there is to keep now, or drops what there no longer is. True: it is kept, or there is nothing to keep. */
  async write(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const source = this.#source();
    if (source) {
      this.#isStored = true;
      const draft = { ...source, id: this.#id, writtenAt: this.#touchedAt };
      const isKept = await this.#drafts.save(draft);
      this.#isKept.set(isKept);
      if (isKept) this.#drafts.clearUnsaved(draft.id);
      else this.#drafts.markUnsaved(draft);
    } else if (this.#isStored) {
      this.#isStored = false;
      this.#isKept.set(true);
      this.#drafts.clearUnsaved(this.#id);
      await this.#drafts.drop(this.#id);
    }
    return this.#isKept();
  }

  /** Writes what is due and lets go of the draft, for another editor to find. True: something is kept. */
  async end(): Promise<boolean> {
    this.#beginning += 1;
    const release = this.#release;
    this.#release = undefined;
    if (this.#timer !== undefined) await this.write();
    const kept = this.#isStored && this.#isKept();
    this.#drafts.clearUnsaved(this.#id);
    this.#isKept.set(true);
    release?.();
    return kept;
  }

  /** Ends with the editor. */
  close(): Promise<boolean> {
    removeEventListener('beforeunload', this.#flushOrAsk);
    removeEventListener('pagehide', this.#flush);
    document.removeEventListener('visibilitychange', this.#flushHidden);
    return this.end();
  }

  #hold(beginning: number, release: (() => void) | undefined): void {
    if (beginning === this.#beginning) this.#release = release;
    else release?.();
  }

  readonly #flush = (): void => {
    if (this.#timer !== undefined) void this.write();
  };
  /** What is kept nowhere else does not go without a question. */
  readonly #flushOrAsk = (event: Event): void => {
    this.#flush();
    if (!this.#isKept()) event.preventDefault();
  };
  readonly #flushHidden = (): void => {
    if (document.visibilityState === 'hidden') this.#flush();
  };
}
