import { Component, inject } from '@angular/core';
import { type IconName, Theme, THEME_CHOICES, type ThemeChoice } from '@homeport/platform/web';
import { LanguageChoice, Segmented } from '@homeport/platform/web/on-demand';

const themes = (): Readonly<Record<ThemeChoice, { readonly label: string; readonly icon: IconName }>> => ({
  system: { label: $localize`:theme|:System`, icon: 'monitor' },
  dark: { label: $localize`:theme|:Dark`, icon: 'moon' },
  light: { label: $localize`:theme|:Light`, icon: 'sun' },
});

/** The theme and the language of this device. */
@Component({
  selector: 'hp-appearance-settings',
  imports: [LanguageChoice, Segmented],
  template: `
    <section class="card" aria-labelledby="theme">
      <h2 id="theme" i18n>Theme</h2>
      <hp-segmented
        labelledBy="theme"
        [segments]="themes"
        [value]="theme.choice()"
        (valueChange)="theme.choose($event)"
      />
    </section>
    <section class="card" aria-labelledby="language">
      <h2 id="language" i18n>Language</h2>
      <hp-language-choice labelledBy="language" />
    </section>
    <p class="muted" i18n>Both are saved on this device.</p>
  `,
  styleUrl: './settings-card.css',
})
export class AppearanceSettings {
  protected readonly theme = inject(Theme);
  protected readonly themes = THEME_CHOICES.map((value) => ({ value, ...themes()[value] }));
}
