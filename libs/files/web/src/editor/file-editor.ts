import { CdkMenu, CdkMenuItemCheckbox, CdkMenuTrigger } from '@angular/cdk/menu';
import { OverlayContainer } from '@angular/cdk/overlay';
import { Component, computed, DestroyRef, effect, inject, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, RouterLink, type RouterStateSnapshot } from '@angular/router';
import { filePathOf } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import {
  Confirmations,
  EmptyState,
  ErrorPanel,
  Icon,
  type IconName,
  LazyOutlet,
  PageHeader,
  pageBreadcrumbs,
  screenData,
  Skeleton,
  Toasts,
} from '@homeport/platform/web';
import { InlineOverlayContainer } from '../browser/inline-overlay-container';
import { OfflineBanner } from '../offline/offline-banner';
import { formatTimestamp } from '../offline/format-timestamp';
import { directoryLink, pathFromSegments, viewLink } from '../tree/file-links';
import { nameOf, parentOf, displayPath } from '../tree/display-path';
import { breadcrumbsTo } from '../tree/file-tree';
import { pathErrorMessage } from '../tree/path-error-messages';
import { AutomaticSaving } from './automatic-saving';
import { CodeEditor } from './code-editor';
import { DraftAutosave } from './draft-autosave';
import { MAX_EDITABLE_SIZE } from './max-editable-size';
import { EditSession } from './edit-session';
import { FillHeight } from './fill-height';
import { isMarkdown } from './formatting/is-markdown';
import { MarkdownToolbar } from './formatting/markdown-toolbar';
import { previewMode } from './preview/preview-mode';

/** The page that edits a text file. */
@Component({
  selector: 'hp-file-editor',
  imports: [
    CdkMenu,
    CdkMenuItemCheckbox,
    CdkMenuTrigger,
    CodeEditor,
    OfflineBanner,
    EmptyState,
    ErrorPanel,
    FillHeight,
    Icon,
    LazyOutlet,
    MarkdownToolbar,
    PageHeader,
    RouterLink,
    Skeleton,
  ],
  providers: [
    AutomaticSaving,
    DraftAutosave,
    EditSession,
    { provide: OverlayContainer, useClass: InlineOverlayContainer },
  ],
  templateUrl: './file-editor.html',
  styleUrls: ['../browser/menu.css', './file-editor.css'],
  host: { '(document:keydown)': 'press($event)', '(document:visibilitychange)': 'checkVersion()' },
})
export class FileEditor {
  readonly #session = inject(AuthSession);
  readonly #toasts = inject(Toasts);
  readonly #confirmations = inject(Confirmations);
  #question: Promise<boolean> | undefined;
  readonly #segments = toSignal(inject(ActivatedRoute).url, { initialValue: [] });
  protected readonly editing = inject(EditSession);
  protected readonly drafts = inject(DraftAutosave);
  protected readonly automatic = inject(AutomaticSaving);

  readonly #path = computed(() => {
    const segments = this.#segments().slice(1);
    return filePathOf(segments.map(({ path }) => path));
  });
  /** Why the URL is not a valid file path. */
  protected readonly fault = computed(() => {
    const path = this.#path();
    return 'fault' in path ? pathErrorMessage(path.fault) : undefined;
  });
  protected readonly key = computed(() => {
    const path = this.#path();
    return 'path' in path ? path.path : pathFromSegments(this.#segments());
  });
  protected readonly read = screenData({
    key: () => (this.fault() ? undefined : this.key()),
    load: (key) => this.editing.open(key),
  });
  protected readonly name = computed(() => nameOf(this.key()));
  protected readonly viewLink = computed(() => viewLink(this.key()));
  protected readonly directory = computed(() => parentOf(displayPath(this.key())));
  protected readonly directoryLink = computed(() => directoryLink(this.directory()));
  protected readonly restoredAt = computed(() => {
    const at = this.editing.restored();
    return at && formatTimestamp(at, new Date());
  });
  protected readonly preview = previewMode();
  protected readonly isMarkdown = computed(() => isMarkdown(this.name()));
  protected readonly showsPreview = computed(() => this.isMarkdown() && this.preview.isShown());
  /** How far the text is scrolled, from 0 to 1. */
  protected readonly scrolled = signal(0);
  protected readonly loadPreview = async () => (await import('./preview/markdown-preview')).MarkdownPreview;
  protected readonly previewInputs = computed(() => ({
    fileKey: this.key(),
    text: this.editing.text(),
    scrolled: this.scrolled(),
  }));
  protected readonly loadConflictView = async () => (await import('./conflict/conflict-view')).ConflictView;
  /** Whether the user has edited the text of a conflict. */
  protected readonly merged = signal(false);
  protected readonly theirs = computed(() => {
    const phase = this.editing.phase();
    return phase.kind === 'conflict' ? phase.theirs : undefined;
  });
  protected readonly theirsLabel = computed(() => {
    const at = this.theirs()?.modifiedAt;
    return at ? $localize`Theirs, saved ${formatTimestamp(new Date(at), new Date())}:time:` : $localize`Theirs`;
  });
  readonly #merge = (text: string): void => {
    this.merged.set(true);
    this.editing.edit(text);
  };
  protected readonly conflictInputs = computed(() => ({
    theirs: this.theirs()?.text.normalized,
    yours: this.editing.editorText(),
    name: this.name(),
    theirsLabel: this.theirsLabel(),
    edit: this.#merge,
  }));
  protected readonly refusal = computed(() => {
    const phase = this.editing.phase();
    return phase.kind === 'refused' && phase.reason === 'too-large'
      ? $localize`This file is larger than ${MAX_EDITABLE_SIZE}:size:, which is too large to be edited here.`
      : $localize`This file is not text, so it cannot be edited.`;
  });
  protected readonly status = computed<{ readonly icon: IconName; readonly tone: string; readonly words: string }>(
    () => {
      if (this.editing.saving() || this.automatic.isDue())
        return { icon: 'clock', tone: '', words: $localize`Saving…` };
      if (this.editing.isNew() && this.editing.text() === '') {
        return { icon: 'circle', tone: '', words: $localize`Not saved yet` };
      }
      if (this.editing.isQueued() && !this.editing.isDirty()) {
        return { icon: 'clock', tone: 'warn', words: $localize`Waiting to be sent` };
      }
      if (!this.editing.isDirty()) return { icon: 'check', tone: 'ok', words: $localize`Saved` };
      return this.drafts.isPersisted()
        ? { icon: 'circle', tone: 'warn', words: $localize`Unsaved changes, kept on this device` }
        : { icon: 'alert', tone: 'bad', words: $localize`Unsaved changes, kept only while this page is open` };
    },
  );

  constructor() {
    pageBreadcrumbs(() => [
      { label: $localize`Files`, link: ['/files'] },
      ...breadcrumbsTo(this.directory()).map(({ name, path }) => ({ label: name, link: directoryLink(path) })),
      { label: this.name(), link: this.viewLink() },
      { label: $localize`Edit` },
    ]);
    effect(() => {
      if (this.editing.phase().kind !== 'conflict') this.merged.set(false);
    });
    inject(DestroyRef).onDestroy(() => void this.#leave());
  }

  /** Asks for confirmation when changes are stored neither on the server nor on this device. */
  async canDeactivate({ root }: RouterStateSnapshot): Promise<boolean> {
    // A sign-out has already asked for confirmation; an expired session has not.
    const isSignOut = this.#session.state() === 'signed-out' && root.queryParams['reason'] !== 'expired';
    if (!isSignOut) await this.automatic.finish();
    if (isSignOut || (await this.drafts.write())) return true;
    // Several navigations may start while the dialog is open; they share one question.
    this.#question ??= this.#ask().finally(() => (this.#question = undefined));
    return this.#question;
  }

  protected async takeTheirs(): Promise<void> {
    const undo = await this.editing.takeTheirs();
    this.#toasts.show($localize`Replaced with their version.`, { label: $localize`Undo`, run: undo });
  }

  protected press(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    // In a conflict, the shortcut saves only an edited text; choosing a version needs an explicit decision.
    if (this.merged()) void this.editing.saveMine();
    else void this.editing.save();
  }

  /** Compares the open file with the stored one when the person returns: another tab may have saved it. */
  protected checkVersion(): void {
    if (document.visibilityState === 'visible' && this.editing.phase().kind === 'editing') this.read.reload();
  }

  #ask(): Promise<boolean> {
    return this.#confirmations.ask({
      title: $localize`Leave and lose changes?`,
      text: $localize`Your changes to ${this.name()}:name: are not saved, and this device cannot keep them.`,
      action: $localize`Leave`,
      run: () => Promise.resolve(),
    });
  }

  async #leave(): Promise<void> {
    const name = this.name();
    // After a sign-out no draft is stored, and after an expiry the sign-in page explains how to continue.
    if (!(await this.editing.close()) || this.#session.state() === 'signed-out') return;
    this.#toasts.show($localize`Unsaved changes to ${name}:name: are kept on this device.`);
  }
}
