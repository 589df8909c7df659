import { Component, DOCUMENT, inject, signal } from '@angular/core';
import { type Language, language, LANGUAGES, storeLanguage } from './language';

/** The languages to choose from, each in its own words. A choice loads the page again: whoever has something open is asked. */
@Component({
  selector: 'hp-language-choice',
  template: `
    <fieldset>
      <legend class="muted" i18n>Language on this device</legend>
      <div class="choices">
        @for (each of languages; track each.id) {
          <label>
            <input
              type="radio"
              name="language"
              [value]="each.id"
              [checked]="chosen() === each.id"
              (change)="choose(each.id)"
            />
            <span [lang]="each.id">{{ each.name }}</span>
          </label>
        }
      </div>
      <p class="muted" role="status">
        @if (refused()) {
          <ng-container i18n>This browser keeps nothing for this page, so the choice cannot be kept.</ng-container>
        }
      </p>
    </fieldset>
  `,
  styleUrl: './language-choice.css',
})
export class LanguageChoice {
  readonly #document = inject(DOCUMENT);
  protected readonly languages = LANGUAGES;
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
