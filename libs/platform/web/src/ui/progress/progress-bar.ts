import { Component, computed, input } from '@angular/core';

/** A progress bar; indeterminate without a value. */
@Component({
  selector: 'hp-progress-bar',
  template: `<span class="track"
    ><span class="done" [class.unknown]="value() === undefined" [style.width.%]="percent() ?? 100"></span
  ></span>`,
  host: {
    role: 'progressbar',
    'aria-valuemin': '0',
    'aria-valuemax': '100',
    '[attr.aria-valuenow]': 'percent()',
    '[attr.aria-label]': 'label()',
  },
  styles: `
    :host {
      display: block;
    }
    .track {
      display: block;
      height: 4px;
      border-radius: 2px;
      background: var(--surface-3);
      overflow: hidden;
    }
    .done {
      display: block;
      height: 100%;
      border-radius: 2px;
      background: var(--accent);
    }
    .unknown {
      background: linear-gradient(90deg, transparent, var(--accent), transparent) 0 0 / 200% 100%;
      animation: pass 1.6s linear infinite;
    }
    @keyframes pass {
      from {
        background-position: 200% 0;
      }
    }
    @media (forced-colors: active) {
      .track {
        background: GrayText;
      }
      .done:not(.unknown) {
        background: Highlight;
      }
    }
    @media (prefers-reduced-motion: reduce) {
      .unknown {
        opacity: 0.5;
        animation: none;
      }
    }
  `,
})
export class ProgressBar {
  /** Describes the task for screen readers. */
  readonly label = input.required<string>();
  /** From 0 to 1; undefined when it cannot be measured. */
  readonly value = input<number>();
  protected readonly percent = computed(() => {
    const value = this.value();
    return value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  });
}
