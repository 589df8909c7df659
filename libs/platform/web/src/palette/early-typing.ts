/** Collects what is typed while the palette is loading: on a slow connection, the first letters come before its field. */
export class EarlyTyping {
  readonly #document: Document;
  #text = '';

  constructor(document: Document) {
    this.#document = document;
    // In the capture phase, so that the letters run no keyboard shortcuts of the page.
    document.addEventListener('keydown', this.#collect, { capture: true });
  }

  /** Ends the collection. @returns the typed text; empty after the first call. */
  take(): string {
    this.#document.removeEventListener('keydown', this.#collect, { capture: true });
    const text = this.#text;
    this.#text = '';
    return text;
  }

  readonly #collect = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (key.length !== 1 || ctrlKey || metaKey || altKey || isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    this.#text += key;
  };
}
