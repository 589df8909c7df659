import { Component, computed, forwardRef, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { Breadcrumb } from '../../breadcrumbs/page-breadcrumbs';
import { Icon } from '../icon/icon';
import { PanelButton } from '../panel/panel-button';
import { PathSteps } from './path-steps';
import { collapsePath } from './collapsed-path';

/** Maximum number of visible steps. */
const LIMIT = 4;

/**
 * The path to the current page. A long path hides its middle; a narrow one shows only the last two steps. A menu lists
 * all steps.
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
  /** The name of the navigation landmark. */
  readonly label = input.required<string>();
  protected readonly parts = computed(() => collapsePath(this.steps(), LIMIT));
  protected readonly loadMenu = async () => (await import('./path-menu')).PathMenu;
}
