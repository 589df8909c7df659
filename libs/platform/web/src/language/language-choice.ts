import { Component, DOCUMENT, inject, signal } from '@angular/core';
import { Segmented } from '../ui/segmented/segmented';
import { type Language, language, LANGUAGES, storeLanguage } from './language';

/** The languages to choose from, each in its own words. A choice loads the page again: whoever has something open is asked. */
@Component({
  selector: 'hp-language-choice',
  imports: [Segmented],
  template: `
    <p id="language-choice" i18n>Language on this device</p>
    <hp-segmented
      labelledBy="language-choice"
      [segments]="languages"
      [value]="chosen()"
      (valueChange)="choose($event)"
    />
    <p role="status">
      @if (refused()) {
        <ng-container i18n>This browser keeps nothing for this page, so the choice cannot be kept.</ng-container>
      }
    </p>
  `,
  styles: `
    p {
      margin: 0;
      color: var(--muted);
    }
    hp-segmented {
      margin-top: 8px;
    }
  `,
})
export class LanguageChoice {
  readonly #document = inject(DOCUMENT);
  protected readonly languages = LANGUAGES.map(({ id, name }) => ({ value: id, label: name, lang: id }));
  protected readonly chosen = signal<Language>(language());
  protected readonly refused = signal(false);

  protected choose(choice: Language): void {
    const isKept = storeLanguage(choice);
    this.refused.set(!isKept);
    if (!isKept) return;
    this.chosen.set(choice);
    this.#document.location.reload();
  }
}
