import { Component, computed, input } from '@angular/core';
import { ICON_PATHS, type IconName } from './icon-paths';

/** A decorative icon, hidden from screen readers; the text next to it has the meaning. */
@Component({
  selector: 'hp-icon',
  template: `<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path [attr.d]="path()" /></svg>`,
  styles: `
    :host {
      display: inline-flex;
      flex: none;
      width: 1.25em;
      height: 1.25em;
    }
    svg {
      width: 100%;
      height: 100%;
      fill: var(--icon-fill, none);
      stroke: currentcolor;
      stroke-width: 1.75;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
  `,
})
export class Icon {
  readonly name = input.required<IconName>();
  protected readonly path = computed(() => ICON_PATHS[this.name()]);
}
