import { DestroyRef, effect, inject, Injectable, signal, untracked } from '@angular/core';
import { asHttpProblem, type HttpProblem } from '@homeport/platform/web';
import { FilesClient, type WriteCondition } from '../client/files-client';
import { type Draft, resolveDraft } from '../drafts/draft';
import { Drafts } from '../drafts/drafts';
import { CachedFilesClient } from '../offline/cached-files-client';
import { latestFiles } from '../saves/latest-files';
import { SaveQueue, type SettledSave } from '../saves/save-queue';
import { DraftAutosave } from './draft-autosave';
import { type EditableFile, readEditableFile } from './editable-file';
import { EditState } from './edit-state';
import { storedText, type StoredText } from './text-encoding';
import { TextSaver } from './text-saver';

/** Edits one file: keeps the shown text, the stored file and the draft consistent, without losing any input. */
@Injectable()
export class EditSession {
  readonly #client = inject(FilesClient);
  readonly #files = inject(CachedFilesClient);
  readonly #queue = inject(SaveQueue);
  readonly #saver = inject(TextSaver);
  readonly #autosave = inject(DraftAutosave);
  readonly #drafts = inject(Drafts);
  readonly #state = new EditState();
  readonly #saving = signal(false);
  readonly #problem = signal<HttpProblem | undefined>(undefined);
  #key = '';
  #opening = 0;
  /** Incremented for each file shown: results for a previous file are ignored. */
  #generation = 0;

  readonly phase = this.#state.phase;
  /** The text for the editor to show. Does not change while the user types. */
  readonly editorText = this.#state.buffer.editorText;
  readonly text = this.#state.buffer.text;
  readonly isNew = this.#state.isNew;
  readonly isDirty = this.#state.isDirty;
  /** Whether the last save waits on this device to be sent. */
  readonly isQueued = this.#state.isQueued;
  /** When the restored draft was written; undefined when no draft was restored. */
  readonly restored = this.#state.restored;
  readonly saving = this.#saving.asReadonly();
  /** Why the last save failed. */
  readonly problem = this.#problem.asReadonly();

  constructor() {
    inject(DestroyRef).onDestroy(this.#queue.onSettled((settled) => void this.#onSettled(settled)));
    effect(() => {
      if (this.#queue.isReplaced(this.#state.base().etag))
        untracked(() => void this.#compareWithStored().catch(() => undefined));
    });
  }

  /**
   * Opens a file. A file that is already open stays on the screen and is compared with the stored version.
   * @throws {HttpProblem} the file cannot be read and has no draft.
   */
  async open(key: string): Promise<void> {
    if (key === this.#key && ['editing', 'conflict'].includes(this.phase().kind)) return this.#compareWithStored();
    const opening = ++this.#opening;
    // Stores the draft of the shown file before it is replaced.
    await this.#autosave.end();
    this.#key = key;
    this.#reset();
    const draft = await this.#autosave.begin(key, () => this.#state.draftOf(key));
    if (opening !== this.#opening) return;
    try {
      const found = await readEditableFile(latestFiles(this.#files, this.#queue), key);
      if (opening !== this.#opening) return;
      if (found === 'not-text' || found === 'too-large') this.#state.refuse(found);
      else await this.#showOpened(found === 'absent' ? undefined : found, draft);
      await this.#onSettled(this.#queue.settled(this.#state.base().etag));
    } catch (error) {
      if (opening !== this.#opening) return;
      // A draft can be edited while the file itself is unavailable.
      if (!draft) throw error;
      this.#state.restoreWithoutFile(draft);
    }
  }

  /** Starts editing a file that does not exist yet. */
  create(): void {
    this.#state.create();
  }

  edit(text: string): void {
    this.#state.buffer.edit(text);
    this.#autosave.touch();
  }

  /** Saves the text, unless the stored file has changed since it was read. */
  async save(): Promise<void> {
    if (this.phase().kind !== 'editing' || !this.isDirty()) return;
    const { etag } = this.#state.base();
    await this.#put(etag === undefined ? { ifAbsent: true } : { ifMatch: etag });
  }

  /** In a conflict: replaces their version with yours, unless the stored file has changed again. */
  async saveMine(): Promise<void> {
    const phase = this.phase();
    if (phase.kind !== 'conflict') return;
    await this.#put(phase.theirs ? { ifMatch: phase.theirs.etag } : { ifAbsent: true });
  }

  /** In a conflict: continues with their version. @returns a function that undoes this. */
  async takeTheirs(): Promise<() => void> {
    const phase = this.phase();
    if (phase.kind !== 'conflict' || !phase.theirs) return () => undefined;
    const [generation, restoreMine] = [this.#generation, this.#state.snapshot()];
    await this.#state.buffer.prepare(phase.theirs.text);
    if (generation !== this.#generation) return () => undefined;
    this.#startEditing(phase.theirs);
    await this.#autosave.write();
    return () => {
      if (generation !== this.#generation) return;
      restoreMine();
      this.#autosave.touch();
    };
  }

  /** Discards the changes and shows the stored file. */
  async discard(): Promise<void> {
    this.#state.discard();
    await this.#autosave.write();
  }

  /** In a conflict with a deletion: accepts the deletion and discards the changes. */
  async acceptDeletion(): Promise<void> {
    this.#state.discardDeleted();
    await this.#autosave.write();
  }

  /** Stores unsaved changes as a draft. @returns whether a draft is stored. */
  close(): Promise<boolean> {
    this.#opening += 1;
    return this.#autosave.close();
  }

  #reset(): void {
    this.#generation += 1;
    this.#saving.set(false);
    this.#problem.set(undefined);
    this.#state.reset();
  }

  #startEditing(file: EditableFile): void {
    this.#problem.set(undefined);
    this.#state.startEditing(file);
  }

  async #showOpened(file: EditableFile | undefined, draft: Draft | undefined): Promise<void> {
    const generation = this.#generation;
    await this.#state.buffer.prepare(file?.text, draft && storedText(draft.text));
    if (generation !== this.#generation) return;
    if (!draft) {
      if (file) this.#startEditing(file);
      else this.#state.setAbsent();
      return;
    }
    const resolution = resolveDraft(draft, file && { etag: file.etag, exact: file.text.exact });
    if (resolution === 'restore') this.#state.restore(draft, file);
    else if (resolution === 'conflict') {
      this.#state.restoreWithoutFile(draft);
      this.#state.enterConflict(file);
    } else if (file) {
      this.#startEditing(file);
      await this.#autosave.write();
    }
  }

  /** Compares the open file with the stored version; the user may keep typing meanwhile. */
  async #compareWithStored(): Promise<void> {
    const [generation, base] = [this.#generation, this.#state.base()];
    const found = await readEditableFile(latestFiles(this.#files, this.#queue), this.#key);
    const file = typeof found === 'string' ? undefined : found;
    await this.#state.buffer.prepare(file?.text);
    // Another file was opened, or this one was saved, in the meantime.
    if (generation !== this.#generation || base !== this.#state.base() || this.#saving()) return;
    // A cached version does not show whether the stored file has changed.
    if (this.#files.fallbackReason({ file: this.#key }) !== undefined) return;
    if (found === 'not-text' || found === 'too-large') {
      if (!this.isDirty()) this.#state.refuse(found);
    } else if (file?.etag === base.etag) this.#state.confirmBase(file);
    else if (this.isDirty()) await this.#enterConflict(file, this.#state.buffer.stored());
    else if (file) this.#startEditing(file);
    else await this.acceptDeletion();
  }

  async #put(condition: WriteCondition): Promise<void> {
    if (this.#saving()) return;
    this.#saving.set(true);
    this.#problem.set(undefined);
    const text = this.#state.buffer.stored();
    const [key, generation] = [this.#key, this.#generation];
    const { contentType } = this.#state.base();
    try {
      // Stores the draft first: the save may fail, or the session may end.
      await this.#autosave.write();
      const { etag } = await this.#saver.save(key, text, { condition, contentType });
      if (generation === this.#generation) {
        await this.#markSaved(text, { etag, contentType });
        await this.#onSettled(this.#queue.settled(etag));
      }
      // Another file was opened, and the draft of this one was released unchanged.
      else await this.#drafts.dropSaved(key, text.exact);
    } catch (error) {
      if (generation === this.#generation) await this.#onSaveFailed(asHttpProblem(error), text);
    } finally {
      if (generation === this.#generation) this.#saving.set(false);
    }
  }

  /** The queued save that is edited was sent, or became a draft. */
  async #onSettled(settled: SettledSave | undefined): Promise<void> {
    if (settled?.key !== this.#key || this.#state.base().etag !== settled.queued) return;
    if (settled.etag !== undefined) {
      this.#state.rebase(settled.etag);
      await this.#autosave.write();
      return;
    }
    const text = this.#state.buffer.stored();
    this.#state.withdrawSave(settled.base);
    // The text in the editor is newer than the draft of the queued save.
    await this.#drafts.dropSaved(settled.key, text.exact);
    await this.#autosave.write();
    await this.#compareWithStored();
  }

  async #markSaved(text: StoredText, version: { etag: string; contentType: string | undefined }): Promise<void> {
    this.#state.markSaved(text, version);
    await this.#autosave.write();
  }

  /** @param theirs undefined when the file was deleted. */
  async #enterConflict(theirs: EditableFile | undefined, mine: StoredText): Promise<void> {
    // An earlier save succeeded but its response was lost, or both versions have the same text.
    if (theirs?.text.exact === mine.exact) return this.#markSaved(mine, theirs);
    this.#state.enterConflict(theirs);
  }

  async #onSaveFailed(problem: HttpProblem, text: StoredText): Promise<void> {
    if (problem.status !== 412) {
      this.#problem.set(problem);
      return;
    }
    const generation = this.#generation;
    try {
      const theirs = await readEditableFile(latestFiles(this.#client, this.#queue), this.#key);
      if (generation !== this.#generation) return;
      if (theirs === 'not-text' || theirs === 'too-large') this.#problem.set(problem);
      else await this.#enterConflict(theirs === 'absent' ? undefined : theirs, text);
    } catch (error) {
      if (generation === this.#generation) this.#problem.set(asHttpProblem(error));
    }
  }
}
