import { inject, Injectable, signal } from '@angular/core';
import { type Draft } from '../drafts/draft';
import { Drafts, acquireDraftLock } from '../drafts/drafts';

/** How long after the last change a draft is stored. */
const PAUSE_MS = 300;

/** Returns the content of the draft; undefined when there are no unsaved changes. */
export type DraftSource = () => Omit<Draft, 'id' | 'writtenAt'> | undefined;

/** Stores the draft of one editor on this device: shortly after each change, and before the page closes. */
@Injectable()
export class DraftAutosave {
  readonly #drafts = inject(Drafts);
  readonly #isPersisted = signal(true);
  #id = '';
  #release: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #source: DraftSource = () => undefined;
  #isStored = false;
  #touchedAt = 0;
  #generation = 0;

  /** Whether the last change was stored on this device. */
  readonly isPersisted = this.#isPersisted.asReadonly();

  constructor() {
    // `beforeunload` leaves enough time to store the draft; phones only send the other events.
    addEventListener('beforeunload', this.#flushOrAsk);
    addEventListener('pagehide', this.#flush);
    document.addEventListener('visibilitychange', this.#flushHidden);
  }

  /** Begins a draft for a file. @returns the draft of a closed editor, which is taken over; undefined without one. */
  async begin(key: string, source: DraftSource): Promise<Draft | undefined> {
    const generation = ++this.#generation;
    this.#source = source;
    const claimed = await this.#drafts.claim(key);
    if (generation !== this.#generation) {
      // Another file was opened in the meantime, and a draft belongs to one file only.
      claimed?.release();
      return undefined;
    }
    this.#id = claimed?.draft.id ?? crypto.randomUUID();
    this.#isStored = claimed !== undefined;
    this.#touchedAt = claimed?.draft.writtenAt ?? Date.now();
    if (claimed) this.#release = claimed.release;
    // No other editor knows the new id, so the lock is always free.
    else void acquireDraftLock(this.#id).then((release) => this.#setRelease(generation, release));
    return claimed?.draft;
  }

  /** Schedules storing after a change. */
  touch(): void {
    this.#touchedAt = Date.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#flush, PAUSE_MS);
  }

  /** Stores the draft now, or drops it when nothing is unsaved. @returns false when the draft could not be stored. */
  async write(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const source = this.#source();
    if (source) {
      this.#isStored = true;
      const draft = { ...source, id: this.#id, writtenAt: this.#touchedAt };
      const isPersisted = await this.#drafts.save(draft);
      this.#isPersisted.set(isPersisted);
      if (isPersisted) this.#drafts.clearUnsaved(draft.id);
      else this.#drafts.markUnsaved(draft);
    } else if (this.#isStored) {
      this.#isStored = false;
      this.#isPersisted.set(true);
      this.#drafts.clearUnsaved(this.#id);
      await this.#drafts.drop(this.#id);
    }
    return this.#isPersisted();
  }

  /** Stores pending changes and releases the draft for other editors. @returns whether a draft is stored. */
  async end(): Promise<boolean> {
    this.#generation += 1;
    const release = this.#release;
    this.#release = undefined;
    if (this.#timer !== undefined) await this.write();
    const hasDraft = this.#isStored && this.#isPersisted();
    this.#drafts.clearUnsaved(this.#id);
    this.#isPersisted.set(true);
    release?.();
    return hasDraft;
  }

  /** Ends the draft and stops listening to the page; called when the editor is destroyed. */
  close(): Promise<boolean> {
    removeEventListener('beforeunload', this.#flushOrAsk);
    removeEventListener('pagehide', this.#flush);
    document.removeEventListener('visibilitychange', this.#flushHidden);
    return this.end();
  }

  #setRelease(generation: number, release: (() => void) | undefined): void {
    if (generation === this.#generation) this.#release = release;
    else release?.();
  }

  readonly #flush = (): void => {
    if (this.#timer !== undefined) void this.write();
  };
  /** Lets the browser ask for confirmation when the last change could not be stored. */
  readonly #flushOrAsk = (event: Event): void => {
    this.#flush();
    if (!this.#isPersisted()) event.preventDefault();
  };
  readonly #flushHidden = (): void => {
    if (document.visibilityState === 'hidden') this.#flush();
  };
}
