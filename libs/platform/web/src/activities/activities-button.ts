import { Component, computed, effect, inject, signal } from '@angular/core';
import { Icon } from '../ui/icon/icon';
import { PanelButton } from '../ui/panel/panel-button';
import { ProgressRing } from '../ui/progress/progress-ring';
import { Activities, type ActivityState } from './activities';
import { activityStateLabel } from './activity-messages';
import { summarizeActivities } from './activity-summary';

/** Shows that something goes on, and leads to what. It is not there while there is nothing to show. */
@Component({
  selector: 'hp-activities-button',
  imports: [Icon, PanelButton, ProgressRing],
  template: `
    <span class="visually-hidden" role="status">{{ ended() }}</span>
    @if (activities.list().length > 0) {
      <button
        type="button"
        class="icon-button"
        aria-haspopup="dialog"
        [attr.aria-label]="label()"
        [title]="label()"
        [hpPanel]="loadPanel"
      >
        @if (overall().running > 0) {
          <hp-progress-ring [value]="overall().progress" />
        } @else if (overall().attention > 0) {
          <hp-icon class="warn" name="alert" />
        } @else {
          <hp-icon name="check-circle" />
        }
      </button>
    }
  `,
  styles: `
    :host {
      display: contents;
    }
    hp-icon {
      width: 20px;
      height: 20px;
    }
    .warn {
      color: var(--warn);
    }
  `,
})
export class ActivitiesButton {
  protected readonly activities = inject(Activities);
  protected readonly overall = computed(() => summarizeActivities(this.activities.list().map(({ view }) => view())));
  protected readonly label = computed(() => {
    const { running, attention } = this.overall();
    if (running > 0)
      return running === 1 ? $localize`Activity: 1 in progress` : $localize`Activity: ${running}:count: in progress`;
    if (attention > 0)
      return attention === 1 ? $localize`Activity: 1 needs you` : $localize`Activity: ${attention}:count: need you`;
    return $localize`Activity: all done`;
  });
  protected readonly loadPanel = async () => (await import('./activities-panel')).ActivitiesPanel;
  /** What ended last, for those who do not see it. */
  protected readonly ended = signal('');
  readonly #known = new Map<number, ActivityState>();

  constructor() {
    effect(() => {
      for (const { id, view } of this.activities.list()) {
        const { state, title } = view();
        if (this.#known.get(id) === state) continue;
        this.#known.set(id, state);
        if (state !== 'running') this.ended.set(`${title}: ${activityStateLabel(state).word}.`);
      }
    });
  }
}
