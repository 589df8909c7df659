import { Component, DestroyRef, inject, input, signal } from '@angular/core';
import { Clipboard } from '@angular/cdk/clipboard';
import { Icon } from '../icon/icon';

const SHOWN_MS = 2_000;

/** Copies a text to the clipboard and shows the outcome in its label. */
@Component({
  selector: 'hp-copy-button',
  imports: [Icon],
  template: `
    <button type="button" class="button quiet small" (click)="copy()">
      <hp-icon [name]="outcome() === 'copied' ? 'check' : 'copy'" />
      <span aria-live="polite"
        >{{ words() }}
        @if (what() && outcome() === 'ready') {
          <span class="visually-hidden">{{ what() }}</span>
        }
      </span>
    </button>
  `,
})
export class CopyButton {
  readonly text = input.required<string>();
  readonly label = input($localize`Copy`);
  /** Names the copied value for screen readers. */
  readonly what = input('');

  readonly #clipboard = inject(Clipboard);
  protected readonly outcome = signal<'ready' | 'copied' | 'refused'>('ready');
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    inject(DestroyRef).onDestroy(() => clearTimeout(this.#timer));
  }

  protected words(): string {
    return { ready: this.label(), copied: $localize`Copied`, refused: $localize`Could not copy` }[this.outcome()];
  }

  protected copy(): void {
    this.outcome.set(this.#clipboard.copy(this.text()) ? 'copied' : 'refused');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.outcome.set('ready'), SHOWN_MS);
  }
}
