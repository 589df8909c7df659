import { Component, computed, forwardRef, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { Breadcrumb } from '../../breadcrumbs/page-breadcrumbs';
import { Icon } from '../icon/icon';
import { PanelButton } from '../panel/panel-button';
import { PathSteps } from './path-steps';
import { collapsePath } from './collapsed-path';

/** How many steps are shown at most. */
const LIMIT = 4;

/**
 * The way to a place. A long one leaves out its middle, and where there is little room everything but the step before
 * and the place itself; a menu then has all of it.
 */
@Component({
  selector: 'hp-path-bar',
  imports: [Icon, PanelButton, RouterLink],
  templateUrl: './path-bar.html',
  styleUrl: './path-bar.css',
  providers: [{ provide: PathSteps, useExisting: forwardRef(() => PathBar) }],
})
export class PathBar implements PathSteps {
  readonly steps = input.required<readonly Breadcrumb[]>();
  /** What it is called for those who jump from landmark to landmark. */
  readonly label = input.required<string>();
  protected readonly parts = computed(() => collapsePath(this.steps(), LIMIT));
  protected readonly loadMenu = async () => (await import('./path-menu')).PathMenu;
}
