import { signal } from '@angular/core';
import { type DifferenceFinder, hasMixedLineEndings, storedText, type StoredText, withFormatOf } from './text-encoding';

/** The text in the editor, and the encoding and line breaks that it takes over from the file. */
export class EditBuffer {
  readonly #text = signal('');
  readonly #editorText = signal('');
  #format = storedText('');
  #differ: DifferenceFinder = () => [];

  /** The current text, with line feeds as line breaks. */
  readonly text = this.#text.asReadonly();
  /** The text for the editor to show. Does not change while the user types. */
  readonly editorText = this.#editorText.asReadonly();

  /** Shows a text; edited text takes over its encoding and line breaks. */
  show(text: StoredText): void {
    this.#format = text;
    this.#editorText.set(text.normalized);
    this.#text.set(text.normalized);
  }

  /** Records the text that the user has typed. */
  edit(text: string): void {
    this.#text.set(text);
  }

  /** Shows the current text in a new editor. */
  reopen(): void {
    this.#editorText.set(this.#text());
  }

  /** Takes over encoding and line breaks; the text stays. */
  takeFormat(text: StoredText): void {
    this.#format = text;
  }

  /** The current text with encoding and line breaks. */
  stored(): StoredText {
    return withFormatOf(this.#format, this.#text(), this.#differ);
  }

  /** Loads the diff function, which only texts with mixed line breaks need. */
  async prepare(...texts: readonly (StoredText | undefined)[]): Promise<void> {
    if (texts.some((text) => text && hasMixedLineEndings(text))) {
      this.#differ = (await import('./find-differences')).findDifferences;
    }
  }

  /** @returns a function that shows the text of now again. */
  snapshot(): () => void {
    const [text, format] = [this.#text(), this.#format];
    return () => {
      this.#format = format;
      this.#text.set(text);
      this.#editorText.set(text);
    };
  }
}
