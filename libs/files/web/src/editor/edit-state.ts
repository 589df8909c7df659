import { computed, signal } from '@angular/core';
import type { Draft } from '../drafts/draft';
import { isQueuedEtag } from '../saves/queued-save';
import type { EditableFile, NotEditableReason } from './editable-file';
import { EditBuffer } from './edit-buffer';
import { storedText, type StoredText } from './text-encoding';

/** What the editor shows. In a conflict, `theirs` is absent when the file was deleted. */
export type EditPhase =
  | { readonly kind: 'loading' }
  | { readonly kind: 'refused'; readonly reason: NotEditableReason }
  | { readonly kind: 'absent' }
  | { readonly kind: 'editing' }
  | { readonly kind: 'conflict'; readonly theirs?: EditableFile };

/** The file as it was last read or saved: the text is compared with it and replaces it. Without an ETag, a new file. */
interface BaseVersion {
  readonly text: StoredText;
  readonly etag?: string;
  readonly contentType?: string;
}

/** The content of a draft, without the fields that its storage adds. */
export type DraftContent = Omit<Draft, 'id' | 'writtenAt'>;

const NEW_FILE: BaseVersion = { text: storedText('') };

/** The state of one file being edited and its transitions. Reads and writes nothing. */
export class EditState {
  readonly #phase = signal<EditPhase>({ kind: 'loading' });
  readonly #base = signal<BaseVersion>(NEW_FILE);
  readonly #restored = signal<Date | undefined>(undefined);
  readonly buffer = new EditBuffer();

  readonly phase = this.#phase.asReadonly();
  readonly base = this.#base.asReadonly();
  /** When the restored draft was written; undefined when no draft was restored. */
  readonly restored = this.#restored.asReadonly();
  /** Whether the last save waits on this device to be sent. */
  readonly isQueued = computed(() => isQueuedEtag(this.#base().etag));
  readonly isNew = computed(() => this.#base().etag === undefined);
  readonly isDirty = computed(() => this.isNew() || this.buffer.text() !== this.#base().text.normalized);

  /** Forgets the file; another one is loading. */
  reset(): void {
    this.#phase.set({ kind: 'loading' });
    this.#base.set(NEW_FILE);
    this.#restored.set(undefined);
    this.buffer.show(NEW_FILE.text);
  }

  refuse(reason: NotEditableReason): void {
    this.#phase.set({ kind: 'refused', reason });
  }

  setAbsent(): void {
    this.#phase.set({ kind: 'absent' });
  }

  /** Starts editing a file that does not exist yet. */
  create(): void {
    this.buffer.show(NEW_FILE.text);
    this.#phase.set({ kind: 'editing' });
  }

  /** Shows the stored file. */
  startEditing(file: EditableFile): void {
    this.#base.set(file);
    this.#restored.set(undefined);
    this.buffer.show(file.text);
    this.#phase.set({ kind: 'editing' });
  }

  /** Shows a draft of a file; without the file, of a new one. */
  restore({ text, encoding, marked, writtenAt }: Draft, file: EditableFile | undefined): void {
    this.#base.set(file ?? NEW_FILE);
    this.buffer.show(storedText(text, { encoding, marked }));
    this.#restored.set(new Date(writtenAt));
    this.#phase.set({ kind: 'editing' });
  }

  /** Shows a draft of a file whose version at that time is not known: only its ETag is. */
  restoreWithoutFile(draft: Draft): void {
    this.restore(draft, undefined);
    this.#base.set({ text: storedText(''), etag: draft.base });
  }

  /** Takes over a stored version with the same ETag as the base. */
  confirmBase(file: EditableFile | undefined): void {
    if (file) this.#base.set(file);
    this.#resumeEditing();
  }

  /** Gives the base version the ETag that the server has stored it under. */
  rebase(etag: string): void {
    this.#base.update((base) => ({ ...base, etag }));
  }

  /** Makes the queued save an unsaved change again. @param etag the ETag that it was edited from. */
  withdrawSave(etag: string | undefined): void {
    const { contentType } = this.#base();
    this.#base.set({ text: storedText(''), contentType, ...(etag !== undefined && { etag }) });
  }

  /** Makes a saved version the base. The user may have typed more since. */
  markSaved(text: StoredText, { etag, contentType }: Pick<BaseVersion, 'etag' | 'contentType'>): void {
    this.#base.set({ text, etag, contentType });
    this.buffer.takeFormat(text);
    this.#restored.set(undefined);
    this.#resumeEditing();
  }

  /** @param theirs undefined when the file was deleted. */
  enterConflict(theirs: EditableFile | undefined): void {
    const phase = this.#phase();
    if (phase.kind === 'conflict' && phase.theirs?.etag === theirs?.etag) return;
    this.buffer.reopen();
    this.#phase.set({ kind: 'conflict', ...(theirs && { theirs }) });
  }

  /** Shows the base version again. */
  discard(): void {
    this.#restored.set(undefined);
    this.buffer.show(this.#base().text);
    this.#phase.set({ kind: this.isNew() ? 'absent' : 'editing' });
  }

  /** Accepts that the file was deleted. */
  discardDeleted(): void {
    this.#base.set(NEW_FILE);
    this.discard();
  }

  /** The draft to store; undefined without unsaved changes. */
  draftOf(key: string): DraftContent | undefined {
    const { kind } = this.#phase();
    const { etag } = this.#base();
    const isEmpty = etag === undefined && this.buffer.text() === '';
    if (kind !== 'conflict' && (kind !== 'editing' || isEmpty || !this.isDirty())) return undefined;
    const { exact: text, encoding, marked } = this.buffer.stored();
    return { key, text, encoding, marked, ...(etag !== undefined && { base: etag }) };
  }

  /** @returns a function that restores the state of now. */
  snapshot(): () => void {
    const [phase, base, restoreText] = [this.#phase(), this.#base(), this.buffer.snapshot()];
    return () => {
      restoreText();
      this.#base.set(base);
      this.#phase.set(phase);
    };
  }

  /** Returns to editing; after a conflict, with the merged text. */
  #resumeEditing(): void {
    if (this.#phase().kind === 'conflict') this.buffer.reopen();
    this.#phase.set({ kind: 'editing' });
  }
}
