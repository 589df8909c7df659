/** Lets a component in a panel close the panel. */
export class PanelRef {
  readonly #dispose: () => void;
  readonly #closed = Promise.withResolvers<undefined>();
  readonly closed = this.#closed.promise;
  #isOpen = true;

  constructor(dispose: () => void) {
    this.#dispose = dispose;
  }

  /** Closes the panel and returns the focus to the button if the panel had it. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#dispose();
    this.#closed.resolve(undefined);
  }
}
