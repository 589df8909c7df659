/** What a component in a panel closes itself with. */
export class PanelRef {
  readonly #dispose: () => void;
  readonly #closed = Promise.withResolvers<undefined>();
  readonly closed = this.#closed.promise;
  #isOpen = true;

  constructor(dispose: () => void) {
    this.#dispose = dispose;
  }

  /** Gives the focus back to the button, if it was in the panel. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#dispose();
    this.#closed.resolve(undefined);
  }
}
