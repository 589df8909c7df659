import { LiveAnnouncer } from '@angular/cdk/a11y';
import {
  afterNextRender,
  Component,
  DestroyRef,
  effect,
  ElementRef,
  inject,
  input,
  output,
  untracked,
} from '@angular/core';
import { Compartment, EditorState, Prec, type StateCommand } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { codeSetup, languageOf } from './code-setup';
import { FORMAT_KEYS } from './formatting/formats';
import { isMarkdown } from './formatting/is-markdown';

/** A code editor for one text. */
@Component({
  selector: 'hp-code-editor',
  template: '',
  styles: `
    :host {
      display: block;
      min-height: 0;
    }
  `,
})
export class CodeEditor {
  /** The text to show; a new value replaces the content as an edit that can be undone. */
  readonly text = input.required<string>();
  /** The file name, which determines the language. */
  readonly name = input.required<string>();
  readonly helpId = input<string>();
  readonly edited = output<string>();
  /** How far the text is scrolled, from 0 to 1. */
  readonly scrolled = output<number>();

  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #announcer = inject(LiveAnnouncer);
  readonly #language = new Compartment();
  #view: EditorView | undefined;
  /** The file name whose language was requested last; undefined after destruction. */
  #languageName: string | undefined;

  constructor() {
    afterNextRender(() => this.#open());
    effect(() => this.#replace(this.text()));
    effect(() => void this.#loadLanguage(this.name()));
    inject(DestroyRef).onDestroy(() => {
      this.#languageName = undefined;
      this.#view?.destroy();
    });
  }

  #open(): void {
    const formatting = isMarkdown(this.name()) ? Prec.high(keymap.of(FORMAT_KEYS)) : [];
    const setup = codeSetup({
      label: $localize`Text of ${this.name()}:name:`,
      helpId: this.helpId(),
      onTabFocusMode: () => void this.#announcer.announce($localize`Press Tab to leave the text.`),
    });
    const updates = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) this.edited.emit(state.doc.toString());
    });
    const scrolling = EditorView.domEventHandlers({
      scroll: (_event, { scrollDOM: { scrollTop, scrollHeight, clientHeight } }) =>
        this.scrolled.emit(scrollTop / Math.max(1, scrollHeight - clientHeight)),
    });
    this.#view = new EditorView({
      parent: this.#host,
      state: EditorState.create({
        doc: this.text(),
        extensions: [formatting, setup, this.#language.of([]), updates, scrolling],
      }),
    });
    void this.#loadLanguage(this.name());
    this.#takeFocus(this.#view);
  }

  /** Runs a command on the text and moves the focus to it. */
  run(command: StateCommand): void {
    const view = this.#view;
    if (!view) return;
    view.focus();
    command(view);
  }

  /** Focuses the text, unless the user has moved the focus to a control while the file was loading. */
  #takeFocus(view: EditorView): void {
    const { activeElement, body } = this.#host.ownerDocument;
    if (!activeElement || activeElement === body || activeElement.matches('h1, main')) view.focus();
  }

  #replace(text: string): void {
    const view = this.#view;
    if (!view || view.state.doc.toString() === text) return;
    untracked(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
  }

  async #loadLanguage(name: string): Promise<void> {
    this.#languageName = name;
    const language = await languageOf(name);
    // The file may have been renamed, or the editor destroyed, while the language was loading.
    if (name !== this.#languageName) return;
    this.#view?.dispatch({ effects: this.#language.reconfigure(language ?? []) });
  }
}
