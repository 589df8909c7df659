import { Component, input, model } from '@angular/core';
import type { IconName } from '../icon/icon-paths';
import { Icon } from '../icon/icon';

export interface Segment<T extends string = string> {
  readonly value: T;
  readonly label: string;
  readonly icon?: IconName;
  /** The language of the label, if it differs from the page. */
  readonly lang?: string;
}

let groups = 0;

/** A radio group shown as a segmented control. */
@Component({
  selector: 'hp-segmented',
  imports: [Icon],
  template: `
    @for (segment of segments(); track segment.value) {
      <label>
        <input
          type="radio"
          [name]="group"
          [value]="segment.value"
          [checked]="value() === segment.value"
          (change)="value.set(segment.value)"
        />
        @if (segment.icon; as icon) {
          <hp-icon [name]="icon" />
        }
        <span [attr.lang]="segment.lang">{{ segment.label }}</span>
      </label>
    }
  `,
  host: { role: 'radiogroup', '[attr.aria-label]': 'label()', '[attr.aria-labelledby]': 'labelledBy()' },
  styles: `
    :host {
      display: inline-flex;
      flex-wrap: wrap;
      gap: var(--space-0-5);
      padding: 3px;
      border: 1px solid var(--line);
      border-radius: 10px;
      background: var(--page);
    }
    label {
      position: relative;
      display: inline-flex;
      align-items: center;
      gap: var(--space-1-5);
      min-height: calc(var(--control) - 4px);
      padding: 0 var(--space-2-5);
      border-radius: 7px;
      color: var(--muted);
      font-weight: 500;
      cursor: pointer;
    }
    label:has(:checked) {
      background: var(--surface-3);
      color: var(--text);
    }
    label:has(:focus-visible) {
      outline: 2px solid var(--accent);
    }
    input {
      position: absolute;
      inset: 0;
      margin: 0;
      opacity: 0;
      cursor: pointer;
    }
    @media (pointer: coarse) {
      label {
        min-height: var(--control);
      }
    }
    /* Three segments with an icon fit in one line. */
    @media (max-width: 359px) {
      label {
        gap: var(--space-1);
        padding: 0 var(--space-1-5);
      }
    }
    /* Forced colors remove the backgrounds, so the radio button is shown. */
    @media (forced-colors: active) {
      input {
        position: static;
        opacity: 1;
      }
    }
  `,
})
export class Segmented<T extends string> {
  readonly label = input<string>();
  /** The id of the element that labels the group. */
  readonly labelledBy = input<string>();
  readonly segments = input.required<readonly Segment<T>[]>();
  readonly value = model.required<T>();
  protected readonly group = `segments-${(groups += 1)}`;
}
