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

/** The state of the editor. In a conflict, `theirs` is absent when the file was deleted. */
export type EditPhase =
  | { readonly kind: 'loading' }
  | { readonly kind: 'refused'; readonly reason: NotEditableReason }
  | { readonly kind: 'absent' }
  | { readonly kind: 'editing' }
  | { readonly kind: 'conflict'; readonly theirs?: EditableFile };

/** The file as it was last read or saved: the text is compared with it and replaces it. Without an ETag, a new file. */
interface Base {
  readonly text: StoredText;
  readonly etag?: string;
  readonly contentType?: string;
}

const NEW_FILE: Base = { text: storedText('') };

/** Edits one file: keeps the shown text, the stored file and the draft consistent, without losing any input. */
@Injectable()
export class EditSession {
  readonly #client = inject(FilesClient);
  readonly #files = inject(CachedFilesClient);
  readonly #offline = inject(OfflineFiles);
  readonly #index = inject(FileIndex);
  readonly #drafts = inject(DraftAutosave);
  readonly #store = inject(Drafts);
  readonly #phase = signal<EditPhase>({ kind: 'loading' });
  readonly #base = signal<Base>(NEW_FILE);
  readonly #lines = signal('');
  readonly #opened = signal('');
  readonly #saving = signal(false);
  readonly #problem = signal<HttpProblem | undefined>(undefined);
  readonly #restored = signal<Date | undefined>(undefined);
  /** The text whose encoding and line breaks the edited text takes over. */
  #format = NEW_FILE.text;
  #differ: DifferenceFinder = () => [];
  #key = '';
  #opening = 0;
  /** Incremented for each file shown: results for a previous file are ignored. */
  #generation = 0;

  readonly phase = this.#phase.asReadonly();
  /** The text for the editor to show. Does not change while the user types. */
  readonly editorText = this.#opened.asReadonly();
  readonly text = this.#lines.asReadonly();
  readonly saving = this.#saving.asReadonly();
  /** Why the last save failed. */
  readonly problem = this.#problem.asReadonly();
  /** When the restored draft was written; undefined when no draft was restored. */
  readonly restored = this.#restored.asReadonly();
  readonly isNew = computed(() => this.#base().etag === undefined);
  readonly isDirty = computed(() => this.isNew() || this.#lines() !== this.#base().text.normalized);

  /**
   * Opens a file. A file that is already open stays on the screen and is compared with the stored version.
   * @throws {HttpProblem} the file cannot be read and has no draft.
   */
  async open(key: string): Promise<void> {
    if (key === this.#key && ['editing', 'conflict'].includes(this.#phase().kind)) return this.#compareWithStored();
    const opening = ++this.#opening;
    // Stores the draft of the shown file before it is replaced.
    await this.#drafts.end();
    this.#key = key;
    this.#reset();
    const draft = await this.#drafts.begin(key, () => this.#draft());
    if (opening !== this.#opening) return;
    try {
      const found = await readEditableFile(this.#files, key);
      if (opening !== this.#opening) return;
      if (found === 'not-text' || found === 'too-large') this.#phase.set({ kind: 'refused', reason: found });
      else await this.#showOpened(found === 'absent' ? undefined : found, draft);
    } catch (error) {
      if (opening !== this.#opening) return;
      // A draft can be edited while the file itself is unavailable.
      if (!draft) throw error;
      this.#restore(draft, { text: storedText(''), etag: draft.base });
    }
  }

  /** Starts editing a file that does not exist yet. */
  create(): void {
    this.#show(NEW_FILE.text);
    this.#phase.set({ kind: 'editing' });
  }

  edit(lines: string): void {
    this.#lines.set(lines);
    this.#drafts.touch();
  }

  /** Saves the text, unless the stored file has changed since it was read. */
  async save(): Promise<void> {
    if (this.#phase().kind !== 'editing' || !this.isDirty()) return;
    const { etag } = this.#base();
    await this.#put(etag === undefined ? { ifAbsent: true } : { ifMatch: etag });
  }

  /** In a conflict: replaces their version with yours, unless the stored file has changed again. */
  async saveMine(): Promise<void> {
    const phase = this.#phase();
    if (phase.kind !== 'conflict') return;
    await this.#put(phase.theirs ? { ifMatch: phase.theirs.etag } : { ifAbsent: true });
  }

  /** In a conflict: continues with their version. @returns a function that undoes this. */
  async takeTheirs(): Promise<() => void> {
    const phase = this.#phase();
    if (phase.kind !== 'conflict' || !phase.theirs) return () => undefined;
    const [generation, mine, format, base] = [this.#generation, this.#lines(), this.#format, this.#base()];
    await this.#prepare(phase.theirs.text);
    if (generation !== this.#generation) return () => undefined;
    this.#startEditing(phase.theirs);
    await this.#drafts.write();
    return () => {
      if (generation !== this.#generation) return;
      this.#format = format;
      this.#base.set(base);
      this.#opened.set(mine);
      this.#lines.set(mine);
      this.#phase.set(phase);
      this.#drafts.touch();
    };
  }

  /** Discards the changes and shows the stored file. */
  async discard(): Promise<void> {
    this.#restored.set(undefined);
    this.#show(this.#base().text);
    this.#phase.set({ kind: this.isNew() ? 'absent' : 'editing' });
    await this.#drafts.write();
  }

  /** In a conflict with a deletion: accepts the deletion and discards the changes. */
  async acceptDeletion(): Promise<void> {
    this.#base.set(NEW_FILE);
    await this.discard();
  }

  /** Stores unsaved changes as a draft. @returns whether a draft is stored. */
  close(): Promise<boolean> {
    this.#opening += 1;
    return this.#drafts.close();
  }

  #reset(): void {
    this.#generation += 1;
    this.#saving.set(false);
    this.#phase.set({ kind: 'loading' });
    this.#base.set(NEW_FILE);
    this.#problem.set(undefined);
    this.#restored.set(undefined);
    this.#show(NEW_FILE.text);
  }

  /** Compares the open file with the stored version; the user may keep typing meanwhile. */
  async #compareWithStored(): Promise<void> {
    const [generation, base] = [this.#generation, this.#base()];
    const found = await readEditableFile(this.#files, this.#key);
    const file = typeof found === 'string' ? undefined : found;
    await this.#prepare(file?.text);
    // Another file was opened, or this one was saved, in the meantime.
    if (generation !== this.#generation || base !== this.#base() || this.#saving()) return;
    // A cached version does not show whether the stored file has changed.
    if (this.#files.fallbackReason({ file: this.#key }) !== undefined) return;
    if (found === 'not-text' || found === 'too-large') {
      if (!this.isDirty()) this.#phase.set({ kind: 'refused', reason: found });
    } else if (file?.etag === base.etag) {
      if (file) this.#base.set(file);
      this.#resumeEditing();
    } else if (this.isDirty()) await this.#enterConflict(file, this.#currentText());
    else if (file) this.#startEditing(file);
    else await this.acceptDeletion();
  }

  async #showOpened(file: EditableFile | undefined, draft: Draft | undefined): Promise<void> {
    const generation = this.#generation;
    await this.#prepare(file?.text, draft && storedText(draft.text));
    if (generation !== this.#generation) return;
    if (!draft) {
      if (file) this.#startEditing(file);
      else this.#phase.set({ kind: 'absent' });
      return;
    }
    const resolution = resolveDraft(draft, file && { etag: file.etag, exact: file.text.exact });
    if (resolution === 'restore') this.#restore(draft, file ?? NEW_FILE);
    else if (resolution === 'conflict') {
      this.#restore(draft, { text: storedText(''), etag: draft.base });
      this.#phase.set({ kind: 'conflict', ...(file && { theirs: file }) });
    } else if (file) {
      this.#startEditing(file);
      await this.#drafts.write();
    }
  }

  /** Loads the diff function, which only texts with mixed line breaks need. */
  async #prepare(...texts: readonly (StoredText | undefined)[]): Promise<void> {
    if (texts.some((text) => text && hasMixedLineEndings(text))) {
      this.#differ = (await import('./find-differences')).findDifferences;
    }
  }

  #startEditing(file: EditableFile): void {
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
    this.#format = text;
    this.#opened.set(text.normalized);
    this.#lines.set(text.normalized);
  }

  /** The shown text with the encoding and line breaks of the file. */
  #currentText(): StoredText {
    return withFormatOf(this.#format, this.#lines(), this.#differ);
  }

  #draft(): Omit<Draft, 'id' | 'writtenAt'> | undefined {
    const { kind } = this.#phase();
    const base = this.#base();
    const isEmpty = base.etag === undefined && this.#lines() === '';
    if (kind !== 'conflict' && (kind !== 'editing' || isEmpty || !this.isDirty())) return undefined;
    const { exact: text, encoding, marked } = this.#currentText();
    return { key: this.#key, text, encoding, marked, ...(base.etag !== undefined && { base: base.etag }) };
  }

  async #put(condition: WriteCondition): Promise<void> {
    if (this.#saving()) return;
    this.#saving.set(true);
    this.#problem.set(undefined);
    const text = this.#currentText();
    const [key, generation] = [this.#key, this.#generation];
    const contentType = this.#base().contentType;
    try {
      // Stores the draft first: the save may fail, or the session may end.
      await this.#drafts.write();
      const content = new Blob([encodeStoredText(text)]);
      const entry = await this.#client.put(key, content, { ...condition, ...(contentType && { contentType }) });
      this.#index.add(entry);
      void this.#offline.replace(entry, content, contentType ?? entry.content_type ?? '');
      if (generation === this.#generation) await this.#saved(text, { etag: entry.etag, contentType });
      // Another file was opened, and the draft of this one was released unchanged.
      else await this.#store.dropSaved(key, text.exact);
    } catch (error) {
      if (generation === this.#generation) await this.#failed(asHttpProblem(error), text);
    } finally {
      if (generation === this.#generation) this.#saving.set(false);
    }
  }

  async #saved(text: StoredText, { etag, contentType }: Pick<Base, 'etag' | 'contentType'>): Promise<void> {
    this.#base.set({ text, etag, contentType });
    this.#format = text;
    this.#restored.set(undefined);
    this.#resumeEditing();
    await this.#drafts.write();
  }

  /** Returns to editing; after a conflict, with the merged text. */
  #resumeEditing(): void {
    if (this.#phase().kind === 'conflict') this.#opened.set(this.#lines());
    this.#phase.set({ kind: 'editing' });
  }

  /** @param theirs undefined when the file was deleted. */
  async #enterConflict(theirs: EditableFile | undefined, mine: StoredText): Promise<void> {
    // An earlier save succeeded but its response was lost, or both versions have the same text.
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
    const generation = this.#generation;
    try {
      const theirs = await readEditableFile(this.#client, this.#key);
      if (generation !== this.#generation) return;
      if (theirs === 'not-text' || theirs === 'too-large') this.#problem.set(problem);
      else await this.#enterConflict(theirs === 'absent' ? undefined : theirs, text);
    } catch (error) {
      if (generation === this.#generation) this.#problem.set(asHttpProblem(error));
    }
  }
}
