import { Component, ElementRef, inject, output, signal } from '@angular/core';
import type { StateCommand } from '@codemirror/state';
import { keyLabel } from '@homeport/platform/web';
import { FORMATS, formatLabels } from './formats';

/** Buttons that format the text of a Markdown editor. The arrow keys move between them. */
@Component({
  selector: 'hp-markdown-toolbar',
  template: `
    @for (format of formats; track format.id) {
      <button
        type="button"
        [attr.aria-label]="format.label"
        [attr.aria-keyshortcuts]="format.shortcut"
        [title]="format.title"
        [tabindex]="$index === current() ? 0 : -1"
        (focus)="current.set($index)"
        (mousedown)="$event.preventDefault()"
        (click)="chosen.emit(format.command)"
      >
        <svg viewBox="0 0 24 24" aria-hidden="true"><path [attr.d]="format.icon" /></svg>
      </button>
    }
  `,
  styleUrl: './markdown-toolbar.css',
  host: { role: 'toolbar', '[attr.aria-label]': 'label', '(keydown)': 'move($event)' },
})
export class MarkdownToolbar {
  readonly chosen = output<StateCommand>();

  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  protected readonly label = $localize`Formatting`;
  protected readonly current = signal(0);
  readonly #labels = formatLabels();
  protected readonly formats = FORMATS.map((format) => {
    const label = this.#labels[format.id];
    const key = format.key?.toUpperCase();
    const title = key ? `${label} (${keyLabel('Mod', navigator.platform)}+${key})` : label;
    return { ...format, label, title, shortcut: key ? `Control+${key} Meta+${key}` : null };
  });

  protected move(event: KeyboardEvent): void {
    const last = this.formats.length - 1;
    const to = { ArrowRight: this.current() + 1, ArrowLeft: this.current() - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const buttons = this.#host.querySelectorAll('button');
    buttons[(to + buttons.length) % buttons.length]?.focus();
  }
}
