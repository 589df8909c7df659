import { Component, computed, input, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { TrailStep } from '../../trail/page-trail';
import { Icon } from '../icon/icon';
import { shortened } from './shortened';

/**
 * The way to a place. A long one hides its middle until somebody asks for it; where there is little room, it shows the
 * step before and the place itself.
 */
@Component({
  selector: 'hp-path-bar',
  imports: [Icon, RouterLink],
  templateUrl: './path-bar.html',
  styleUrl: './path-bar.css',
})
export class PathBar {
  readonly steps = input.required<readonly TrailStep[]>();
  /** What it is called for those who jump from landmark to landmark. */
  readonly label = input.required<string>();
  /** How many steps are shown at most. */
  readonly limit = input(4);
  /** The steps that were unfolded: another way is short again. */
  readonly #unfolded = signal<readonly TrailStep[] | undefined>(undefined);
  protected readonly parts = computed(() => {
    const steps = this.steps();
    return shortened(steps, this.#unfolded() === steps ? steps.length : Math.max(2, this.limit()));
  });

  protected unfold(): void {
    this.#unfolded.set(this.steps());
  }
}
