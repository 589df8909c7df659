import { Component, computed, input } from '@angular/core';
import { keyLabel } from './key-labels';

/** A key combination, with the key labels of this platform. */
@Component({
  selector: 'hp-key',
  template: `
    @for (word of words(); track $index) {
      <kbd>{{ word }}</kbd>
    }
  `,
  styles: `
    :host {
      display: inline-flex;
      gap: 3px;
    }
    kbd {
      display: inline-grid;
      place-items: center;
      min-width: 20px;
      height: 20px;
      padding: 0 var(--space-1);
      border: 1px solid var(--line-strong);
      border-radius: 5px;
      background: var(--page);
      color: var(--muted);
      font: 500 11px/1 var(--font);
    }
  `,
})
export class Key {
  readonly keys = input.required<readonly string[]>();
  protected readonly words = computed(() => this.keys().map((key) => keyLabel(key, navigator.platform)));
}
