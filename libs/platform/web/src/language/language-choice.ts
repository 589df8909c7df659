import { Component, DOCUMENT, inject, input, signal } from '@angular/core';
import { Segmented } from '../ui/segmented/segmented';
import { type Language, language, LANGUAGES, storeLanguage } from './language';

/** Selects the language. A change reloads the page; pages with unsaved changes ask first. */
@Component({
  selector: 'hp-language-choice',
  imports: [Segmented],
  template: `
    <hp-segmented
      [labelledBy]="labelledBy()"
      [segments]="languages"
      [value]="chosen()"
      (valueChange)="choose($event)"
    />
    <p role="status">
      @if (isBlocked()) {
        <ng-container i18n>The browser blocks storage for this site, so the language cannot be saved.</ng-container>
      }
    </p>
  `,
  styles: `
    p {
      margin: 0;
      color: var(--muted);
    }
  `,
})
export class LanguageChoice {
  /** The id of the heading of the choice. */
  readonly labelledBy = input.required<string>();
  readonly #document = inject(DOCUMENT);
  protected readonly languages = LANGUAGES.map(({ id, name }) => ({ value: id, label: name, lang: id }));
  protected readonly chosen = signal<Language>(language());
  protected readonly isBlocked = signal(false);

  protected choose(choice: Language): void {
    const isStored = storeLanguage(choice);
    this.isBlocked.set(!isStored);
    if (!isStored) return;
    this.chosen.set(choice);
    this.#document.location.reload();
  }
}
