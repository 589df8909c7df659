import { CdkTrapFocus } from '@angular/cdk/a11y';
import { Component, computed, inject } from '@angular/core';
import { Icon } from '../ui/icon/icon';
import { PanelRef } from '../ui/panel/panel-ref';
import { ProgressBar } from '../ui/progress/progress-bar';
import { Activities } from './activities';
import { activityStateLabel } from './activity-messages';

/** All activities with progress and actions, newest first. */
@Component({
  selector: 'hp-activities-panel',
  imports: [CdkTrapFocus, Icon, ProgressBar],
  templateUrl: './activities-panel.html',
  styleUrl: './activities-panel.css',
})
export class ActivitiesPanel {
  readonly #activities = inject(Activities);
  protected readonly panel = inject(PanelRef);
  protected readonly rows = computed(() =>
    this.#activities
      .list()
      .map(({ id, view }) => {
        const shown = view();
        const isOpen = ['running', 'waiting', 'attention'].includes(shown.state);
        return { id, isOpen, ...shown, words: activityStateLabel(shown.state) };
      })
      .reverse(),
  );
  readonly #ended = computed(() => this.rows().filter(({ isOpen }) => !isOpen));
  protected readonly canClear = computed(() => this.#ended().length > 0);

  protected dismiss(id: number): void {
    this.#activities.dismiss(id);
    if (this.rows().length === 0) this.panel.close();
  }

  protected clear(): void {
    for (const { id } of this.#ended()) this.dismiss(id);
  }
}
