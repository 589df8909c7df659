export interface FoldableLine {
  /** The line, counted from 0. */
  readonly index: number;
  readonly isFolded: boolean;
  readonly isFoldable: boolean;
}

const KEYS: Readonly<Record<string, 'previous' | 'next' | 'fold' | 'unfold'>> = {
  ArrowUp: 'previous',
  ArrowDown: 'next',
  ArrowLeft: 'fold',
  ArrowRight: 'unfold',
};

/**
 * The buttons beside the lines that can be folded. Tab reaches one of them; the arrow keys move between them, and fold
 * and unfold.
 */
export class FoldButtons {
  readonly #host: HTMLElement;
  readonly #toggle: (line: number) => void;
  #tabStop: HTMLElement | undefined;

  constructor(host: HTMLElement, toggle: (line: number) => void) {
    this.#host = host;
    this.#toggle = toggle;
    host.addEventListener('click', this.#onClick);
    host.addEventListener('keydown', this.#onKeydown);
  }

  destroy(): void {
    this.#host.removeEventListener('click', this.#onClick);
    this.#host.removeEventListener('keydown', this.#onKeydown);
  }

  /** Adds or updates the button of a line. */
  update(line: HTMLElement, { index, isFolded, isFoldable }: FoldableLine): void {
    if (!isFoldable) return;
    line.classList.toggle('folded', isFolded);
    // The mark for the hidden lines stands after the text.
    line.style.setProperty('--length', String(line.textContent?.trimEnd().length ?? 0));
    const button = line.querySelector('button') ?? this.#add(line, index);
    button.ariaExpanded = String(!isFolded);
  }

  /** Replaces lines. When the focused button is among them, the new button of the same line takes the focus. */
  keepFocusWhile(replaceLines: () => void): void {
    const focused = this.#host.contains(document.activeElement) ? buttonAt(document.activeElement) : null;
    replaceLines();
    if (!focused || focused.isConnected) return;
    const button = this.#host.querySelector<HTMLElement>(`button[data-fold="${focused.dataset['fold']}"]`);
    if (!button) return;
    this.#setTabStop(button);
    button.focus({ preventScroll: true });
  }

  #add(line: HTMLElement, index: number): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'fold';
    button.dataset['fold'] = String(index);
    button.ariaLabel = $localize`Content of line ${index + 1}:line:`;
    button.tabIndex = -1;
    // After the text, so that offsets in the text of the line stay the same.
    line.append(button);
    if (!this.#tabStop?.isConnected) this.#setTabStop(button);
    return button;
  }

  #setTabStop(button: HTMLElement): void {
    if (this.#tabStop) this.#tabStop.tabIndex = -1;
    button.tabIndex = 0;
    this.#tabStop = button;
  }

  readonly #onClick = ({ target }: Event): void => {
    const button = buttonAt(target);
    if (!button) return;
    this.#setTabStop(button);
    this.#toggle(Number(button.dataset['fold']));
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const [button, action] = [buttonAt(event.target), KEYS[event.key]];
    if (!button || !action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (action === 'fold' || action === 'unfold') {
      if ((button.ariaExpanded === 'true') === (action === 'fold')) button.click();
      return;
    }
    const visible = [...this.#host.querySelectorAll<HTMLElement>('button.fold')].filter((each) => each.offsetParent);
    const to = visible[visible.indexOf(button) + (action === 'next' ? 1 : -1)];
    if (!to) return;
    this.#setTabStop(to);
    to.focus();
  };
}

function buttonAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('button.fold') : null;
}
