import { computed, inject, Injectable, signal } from '@angular/core';
import { asHttpProblem, type HttpProblem } from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { FilesClient, type WriteCondition } from '../client/files-client';
import { type Draft, resolveDraft } from '../drafts/draft';
import { Drafts } from '../drafts/drafts';
import { CachedFilesClient } from '../offline/cached-files-client';
import { OfflineFiles } from '../offline/offline-files';
import { DraftAutosave } from './draft-autosave';
import { type EditableFile, readEditableFile, type NotEditableReason } from './editable-file';
import {
  encodeStoredText,
  type DifferenceFinder,
  withFormatOf,
  hasMixedLineEndings,
  storedText,
  type StoredText,
} from './text-encoding';

/** Where the editing of a file has got to. In a conflict, `theirs` is absent when the file was deleted. */
export type EditPhase =
  | { readonly kind: 'loading' }
  | { readonly kind: 'refused'; readonly reason: NotEditableReason }
  | { readonly kind: 'absent' }
  | { readonly kind: 'editing' }
  | { readonly kind: 'conflict'; readonly theirs?: EditableFile };

/** What the text is compared with and saved over: the file as it was read or saved last, or no file yet. */
interface Base {
  readonly text: StoredText;
  readonly etag?: string;
  readonly contentType?: string;
}

const NEW: Base = { text: storedText('') };

/** One file being edited: what is on the screen, what is stored, and the draft in between. Nothing written is lost. */
@Injectable()
export class EditSession {
  readonly #client = inject(FilesClient);
  readonly #files = inject(CachedFilesClient);
  readonly #offline = inject(OfflineFiles);
  readonly #index = inject(FileIndex);
  readonly #drafts = inject(DraftAutosave);
  readonly #store = inject(Drafts);
  readonly #phase = signal<EditPhase>({ kind: 'loading' });
  readonly #base = signal<Base>(NEW);
  readonly #lines = signal('');
  readonly #opened = signal('');
  readonly #saving = signal(false);
  readonly #problem = signal<HttpProblem | undefined>(undefined);
  readonly #restored = signal<Date | undefined>(undefined);
  /** The text whose form what is written takes on. */
  #form = NEW.text;
  #differ: DifferenceFinder = () => [];
  #key = '';
  #opening = 0;
  /** Counts the files that were on the screen: what is told of one before is not of this one. */
  #turn = 0;

  readonly phase = this.#phase.asReadonly();
  /** The text to show: changes unless the user typed the change. */
  readonly editorText = this.#opened.asReadonly();
  readonly text = this.#lines.asReadonly();
  readonly saving = this.#saving.asReadonly();
  /** Why the last save failed. */
  readonly problem = this.#problem.asReadonly();
  /** When what was restored had been written; undefined when nothing was. */
  readonly restored = this.#restored.asReadonly();
  readonly isNew = computed(() => this.#base().etag === undefined);
  readonly isDirty = computed(() => this.isNew() || this.#lines() !== this.#base().text.normalized);

  /**
   * Opens a file; what is being written in already stays on the screen, and is compared with the file as it is by now.
   * @throws {HttpProblem} the file cannot be had, and nothing is kept of it that could be gone on with.
   */
  async open(key: string): Promise<void> {
    if (key === this.#key && ['editing', 'conflict'].includes(this.#phase().kind)) return this.#compare();
    const opening = ++this.#opening;
    // What is on the screen is written down while it is still there.
    await this.#drafts.end();
    this.#key = key;
    this.#reset();
    const draft = await this.#drafts.begin(key, () => this.#draft());
    if (opening !== this.#opening) return;
    try {
      const found = await readEditableFile(this.#files, key);
      if (opening !== this.#opening) return;
      if (found === 'not-text' || found === 'too-large') this.#phase.set({ kind: 'refused', reason: found });
      else await this.#meet(found === 'absent' ? undefined : found, draft);
    } catch (error) {
      if (opening !== this.#opening) return;
      // What was written can be gone on with while the file itself cannot be had.
      if (!draft) throw error;
      this.#restore(draft, { text: storedText(''), etag: draft.base });
    }
  }

  /** Begins a file that does not exist yet. */
  create(): void {
    this.#show(NEW.text);
    this.#phase.set({ kind: 'editing' });
  }

  edit(lines: string): void {
    this.#lines.set(lines);
    this.#drafts.touch();
  }

  /** Saves over what the text began from, and over nothing else. */
  async save(): Promise<void> {
    if (this.#phase().kind !== 'editing' || !this.isDirty()) return;
    const { etag } = this.#base();
    await this.#put(etag === undefined ? { ifAbsent: true } : { ifMatch: etag });
  }

  /** In a conflict: saves what is on your side over theirs, as long as theirs is the one that was shown. */
  async saveMine(): Promise<void> {
    const phase = this.#phase();
    if (phase.kind !== 'conflict') return;
    await this.#put(phase.theirs ? { ifMatch: phase.theirs.etag } : { ifAbsent: true });
  }

  /** In a conflict: goes on with the text of theirs. Answers how to take that back. */
  async takeTheirs(): Promise<() => void> {
    const phase = this.#phase();
    if (phase.kind !== 'conflict' || !phase.theirs) return () => undefined;
    const turn = this.#turn;
    const [mine, form, base] = [this.#lines(), this.#form, this.#base()];
    await this.#prepare(phase.theirs.text);
    if (turn !== this.#turn) return () => undefined;
    this.#begin(phase.theirs);
    await this.#drafts.write();
    return () => {
      if (turn !== this.#turn) return;
      this.#form = form;
      this.#base.set(base);
      this.#opened.set(mine);
      this.#lines.set(mine);
      this.#phase.set(phase);
      this.#drafts.touch();
    };
  }

  /** Goes back to the file as it is stored. */
  async discard(): Promise<void> {
    this.#restored.set(undefined);
    this.#show(this.#base().text);
    this.#phase.set({ kind: this.isNew() ? 'absent' : 'editing' });
    await this.#drafts.write();
  }

  /** In a conflict with a deletion: lets the file be gone. */
  async acceptDeletion(): Promise<void> {
    this.#base.set(NEW);
    await this.discard();
  }

  /** Keeps what is not saved. True: there was something to keep. */
  close(): Promise<boolean> {
    this.#opening += 1;
    return this.#drafts.close();
  }

  #reset(): void {
    this.#turn += 1;
    this.#saving.set(false);
    this.#phase.set({ kind: 'loading' });
    this.#base.set(NEW);
    this.#problem.set(undefined);
    this.#restored.set(undefined);
    this.#show(NEW.text);
  }

  /** Somebody may be writing all the while. */
  async #compare(): Promise<void> {
    const [turn, base] = [this.#turn, this.#base()];
    const found = await readEditableFile(this.#files, this.#key);
    const file = typeof found === 'string' ? undefined : found;
    await this.#prepare(file?.text);
    // Another file is on the screen, or this one was saved meanwhile.
    if (turn !== this.#turn || base !== this.#base() || this.#saving()) return;
    // A copy says nothing of the file as it is by now.
    if (this.#files.fallbackReason({ file: this.#key }) !== undefined) return;
    if (found === 'not-text' || found === 'too-large') {
      if (!this.isDirty()) this.#phase.set({ kind: 'refused', reason: found });
    } else if (file?.etag === base.etag) {
      if (file) this.#base.set(file);
      this.#goOn();
    } else if (this.isDirty()) await this.#confront(file, this.#written());
    else if (file) this.#begin(file);
    else await this.acceptDeletion();
  }

  async #meet(file: EditableFile | undefined, draft: Draft | undefined): Promise<void> {
    const turn = this.#turn;
    await this.#prepare(file?.text, draft && storedText(draft.text));
    if (turn !== this.#turn) return;
    if (!draft) {
      if (file) this.#begin(file);
      else this.#phase.set({ kind: 'absent' });
      return;
    }
    const fate = resolveDraft(draft, file && { etag: file.etag, exact: file.text.exact });
    if (fate === 'restore') this.#restore(draft, file ?? NEW);
    else if (fate === 'conflict') {
      this.#restore(draft, { text: storedText(''), etag: draft.base });
      this.#phase.set({ kind: 'conflict', ...(file && { theirs: file }) });
    } else if (file) {
      this.#begin(file);
      await this.#drafts.write();
    }
  }

  /** Only texts that mix line breaks need to know what was edited. */
  async #prepare(...texts: readonly (StoredText | undefined)[]): Promise<void> {
    if (texts.some((text) => text && hasMixedLineEndings(text))) {
      this.#differ = (await import('./find-differences')).findDifferences;
    }
  }

  #begin(file: EditableFile): void {
    this.#base.set(file);
    this.#problem.set(undefined);
    this.#restored.set(undefined);
    this.#show(file.text);
    this.#phase.set({ kind: 'editing' });
  }

  #restore({ text, encoding, marked, writtenAt }: Draft, base: Base): void {
    this.#base.set(base);
    this.#show(storedText(text, { encoding, marked }));
    this.#restored.set(new Date(writtenAt));
    this.#phase.set({ kind: 'editing' });
  }

  #show(text: StoredText): void {
    this.#form = text;
    this.#opened.set(text.normalized);
    this.#lines.set(text.normalized);
  }

  /** What is on the screen, in the form of the file. */
  #written(): StoredText {
    return withFormatOf(this.#form, this.#lines(), this.#differ);
  }

  #draft(): Omit<Draft, 'id' | 'writtenAt'> | undefined {
    const { kind } = this.#phase();
    const base = this.#base();
    const isEmpty = base.etag === undefined && this.#lines() === '';
    if (kind !== 'conflict' && (kind !== 'editing' || isEmpty || !this.isDirty())) return undefined;
    const { exact: text, encoding, marked } = this.#written();
    return { key: this.#key, text, encoding, marked, ...(base.etag !== undefined && { base: base.etag }) };
  }

  async #put(condition: WriteCondition): Promise<void> {
    if (this.#saving()) return;
    this.#saving.set(true);
    this.#problem.set(undefined);
    const text = this.#written();
    const [key, turn] = [this.#key, this.#turn];
    const contentType = this.#base().contentType;
    try {
      // Whatever comes of it, the session included, the text is kept first.
      await this.#drafts.write();
      const content = new Blob([encodeStoredText(text)]);
      const entry = await this.#client.put(key, content, { ...condition, ...(contentType && { contentType }) });
      this.#index.add(entry);
      void this.#offline.replace(entry, content, contentType ?? entry.content_type ?? '');
      if (turn === this.#turn) await this.#saved(text, { etag: entry.etag, contentType });
      // Another file is on the screen, and the draft of this one has been let go of as it was.
      else await this.#store.dropSaved(key, text.exact);
    } catch (error) {
      if (turn === this.#turn) await this.#failed(asHttpProblem(error), text);
    } finally {
      if (turn === this.#turn) this.#saving.set(false);
    }
  }

  async #saved(text: StoredText, { etag, contentType }: Pick<Base, 'etag' | 'contentType'>): Promise<void> {
    this.#base.set({ text, etag, contentType });
    this.#form = text;
    this.#restored.set(undefined);
    this.#goOn();
    await this.#drafts.write();
  }

  /** After a conflict, with what was made of it. */
  #goOn(): void {
    if (this.#phase().kind === 'conflict') this.#opened.set(this.#lines());
    this.#phase.set({ kind: 'editing' });
  }

  /** @param theirs undefined when the file was deleted. */
  async #confront(theirs: EditableFile | undefined, mine: StoredText): Promise<void> {
    // The answer to an earlier attempt got lost, or both wrote the same.
    if (theirs?.text.exact === mine.exact) return this.#saved(mine, theirs);
    const phase = this.#phase();
    if (phase.kind === 'conflict' && phase.theirs?.etag === theirs?.etag) return;
    this.#opened.set(this.#lines());
    this.#phase.set({ kind: 'conflict', ...(theirs && { theirs }) });
  }

  async #failed(problem: HttpProblem, text: StoredText): Promise<void> {
    if (problem.status !== 412) {
      this.#problem.set(problem);
      return;
    }
    const turn = this.#turn;
    try {
      const theirs = await readEditableFile(this.#client, this.#key);
      if (turn !== this.#turn) return;
      if (theirs === 'not-text' || theirs === 'too-large') this.#problem.set(problem);
      else await this.#confront(theirs === 'absent' ? undefined : theirs, text);
    } catch (error) {
      if (turn === this.#turn) this.#problem.set(asHttpProblem(error));
    }
  }
}
