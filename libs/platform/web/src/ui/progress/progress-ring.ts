import { Component, computed, input } from '@angular/core';

const LENGTH = 2 * Math.PI * 9;

/** A small progress ring, hidden from screen readers: the text next to it has the same information. */
@Component({
  selector: 'hp-progress-ring',
  template: `
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false" [class.unknown]="value() === undefined">
      <circle cx="12" cy="12" r="9" />
      <circle class="done" cx="12" cy="12" r="9" [attr.stroke-dasharray]="dashes()" transform="rotate(-90 12 12)" />
    </svg>
  `,
  styles: `
    :host {
      display: inline-flex;
      flex: none;
      width: 20px;
      height: 20px;
    }
    svg {
      width: 100%;
      height: 100%;
      fill: none;
      stroke: var(--line-strong);
      stroke-width: 3;
    }
    .done {
      stroke: var(--accent);
    }
    .unknown {
      animation: turn 1.2s linear infinite;
    }
    @keyframes turn {
      to {
        transform: rotate(1turn);
      }
    }
    @media (prefers-reduced-motion: reduce) {
      .unknown {
        animation: none;
      }
    }
  `,
})
export class ProgressRing {
  /** From 0 to 1; undefined when it cannot be measured. */
  readonly value = input<number>();
  protected readonly dashes = computed(() => {
    const drawn = Math.min(1, Math.max(0, this.value() ?? 0.25)) * LENGTH;
    return `${drawn.toFixed(2)} ${LENGTH.toFixed(2)}`;
  });
}
