import { CdkMenu, CdkMenuItem } from '@angular/cdk/menu';
import { afterNextRender, Component, computed, inject, viewChild } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Icon } from '../icon/icon';
import { PathSteps } from './path-steps';

/** A menu of all steps except the current page. */
@Component({
  selector: 'hp-path-menu',
  imports: [CdkMenu, CdkMenuItem, Icon, RouterLink],
  template: `
    <div class="menu" cdkMenu aria-label="Whole path" i18n-aria-label>
      @for (step of steps(); track $index) {
        <a class="menu-item" cdkMenuItem [routerLink]="step.link"><hp-icon name="folder" />{{ step.label }}</a>
      }
    </div>
  `,
  styles: `
    a {
      overflow-wrap: anywhere;
    }
  `,
})
export class PathMenu {
  readonly #path = inject(PathSteps);
  private readonly menu = viewChild.required(CdkMenu);
  protected readonly steps = computed(() => this.#path.steps().slice(0, -1));

  constructor() {
    afterNextRender(() => this.menu().focusFirstItem('keyboard'));
  }
}
