import { CdkMenu, CdkMenuItemRadio } from '@angular/cdk/menu';
import { afterNextRender, Component, inject, viewChild } from '@angular/core';
import { Icon, type IconName, PanelRef, Theme, THEME_CHOICES, type ThemeChoice } from '@homeport/platform/web';

@Component({
  selector: 'hp-theme-menu',
  imports: [CdkMenu, CdkMenuItemRadio, Icon],
  template: `
    <div class="menu" cdkMenu aria-label="Theme" i18n-aria-label>
      @for (choice of choices; track choice) {
        <button
          type="button"
          class="menu-item"
          cdkMenuItemRadio
          [cdkMenuItemChecked]="theme.choice() === choice"
          (cdkMenuItemTriggered)="choose(choice)"
        >
          <hp-icon [name]="icons[choice]" />{{ words(choice) }}
          @if (theme.choice() === choice) {
            <hp-icon class="end" name="check" />
          }
        </button>
      }
    </div>
  `,
})
export class ThemeMenu {
  readonly #panel = inject(PanelRef);
  private readonly menu = viewChild.required(CdkMenu);
  protected readonly theme = inject(Theme);
  protected readonly choices = THEME_CHOICES;
  protected readonly icons: Readonly<Record<ThemeChoice, IconName>> = {
    system: 'monitor',
    dark: 'moon',
    light: 'sun',
  };

  constructor() {
    afterNextRender(() => this.menu().focusFirstItem('keyboard'));
  }

  protected words(choice: ThemeChoice): string {
    return { system: $localize`:theme|:System`, dark: $localize`:theme|:Dark`, light: $localize`:theme|:Light` }[
      choice
    ];
  }

  protected choose(choice: ThemeChoice): void {
    this.theme.choose(choice);
    this.#panel.close();
  }
}
