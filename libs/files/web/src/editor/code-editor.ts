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
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { codeSetup, languageOf } from './code-setup';

/** A text being edited. */
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
  /** What is in it; a new value takes the place of what was, and can be undone. */
  readonly text = input.required<string>();
  /** The name of the file, which its language follows from. */
  readonly name = input.required<string>();
  readonly helpId = input<string>();
  readonly edited = output<string>();

  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #announcer = inject(LiveAnnouncer);
  readonly #language = new Compartment();
  #view: EditorView | undefined;
  /** The name whose language was asked for last. */
  #spoken: string | undefined;

  constructor() {
    afterNextRender(() => this.#open());
    effect(() => this.#replace(this.text()));
    effect(() => void this.#speak(this.name()));
    inject(DestroyRef).onDestroy(() => {
      this.#spoken = undefined;
      this.#view?.destroy();
    });
  }

  focus(): void {
    this.#view?.focus();
  }

  #open(): void {
    const setup = codeSetup({
      label: $localize`Text of ${this.name()}:name:`,
      helpId: this.helpId(),
      onTabFocusMode: () => void this.#announcer.announce($localize`Press Tab to leave the text.`),
    });
    const updates = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) this.edited.emit(state.doc.toString());
    });
    this.#view = new EditorView({
      parent: this.#host,
      state: EditorState.create({ doc: this.text(), extensions: [setup, this.#language.of([]), updates] }),
    });
    void this.#speak(this.name());
  }

  #replace(text: string): void {
    const view = this.#view;
    if (!view || view.state.doc.toString() === text) return;
    untracked(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
  }

  async #speak(name: string): Promise<void> {
    this.#spoken = name;
    const language = await languageOf(name);
    // The file may have another name by now, or the editor be gone.
    if (name !== this.#spoken) return;
    this.#view?.dispatch({ effects: this.#language.reconfigure(language ?? []) });
  }
}
