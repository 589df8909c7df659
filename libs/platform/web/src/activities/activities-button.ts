import { Component, computed, effect, inject, signal, untracked, viewChild } from '@angular/core';
import { formatNumber } from '../format/number';
import { Icon } from '../ui/icon/icon';
import { PanelButton } from '../ui/panel/panel-button';
import { ProgressRing } from '../ui/progress/progress-ring';
import { Activities, type ActivityState } from './activities';
import { activityStateLabel } from './activity-messages';
import { summarizeActivities } from './activity-summary';

/** Shows the total progress and opens the activities panel; hidden while there are no activities. */
@Component({
  selector: 'hp-activities-button',
  imports: [Icon, PanelButton, ProgressRing],
  template: `
    <span class="visually-hidden" role="status">{{ announcement() }}</span>
    @if (activities.list().length > 0) {
      <button
        type="button"
        class="icon-button"
        aria-haspopup="dialog"
        [attr.aria-label]="label()"
        [title]="label()"
        [hpPanel]="loadPanel"
      >
        @if (summary().running > 0) {
          <hp-progress-ring [value]="summary().progress" />
        } @else if (summary().attention > 0) {
          <span class="warn"><hp-icon name="alert" />{{ number(summary().attention) }}</span>
        } @else if (summary().waiting > 0) {
          <hp-icon name="clock" />
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
      display: inline-flex;
      align-items: center;
      gap: var(--space-0-5);
      color: var(--warn);
      font-weight: 600;
    }
  `,
})
export class ActivitiesButton {
  protected readonly activities = inject(Activities);
  protected readonly number = formatNumber;
  private readonly panel = viewChild(PanelButton);
  protected readonly summary = computed(() => summarizeActivities(this.activities.list().map(({ view }) => view())));
  protected readonly label = computed(() => {
    const { running, waiting, attention } = this.summary();
    if (running > 0)
      return running === 1 ? $localize`Activity: 1 in progress` : $localize`Activity: ${running}:count: in progress`;
    if (attention > 0)
      return attention === 1
        ? $localize`Activity: 1 needs attention`
        : $localize`Activity: ${attention}:count: need attention`;
    if (waiting > 0) return $localize`Activity: waiting for the connection`;
    return $localize`Activity: all done`;
  });
  protected readonly loadPanel = async () => (await import('./activities-panel')).ActivitiesPanel;
  /** Announces the activity that ended last to screen readers. */
  protected readonly announcement = signal('');
  #lastOpened = 0;
  readonly #lastStates = new Map<number, ActivityState>();

  constructor() {
    effect(() => {
      for (const { id, view } of this.activities.list()) {
        const { state, title, announcement } = view();
        if (this.#lastStates.get(id) === state) continue;
        this.#lastStates.set(id, state);
        if (state !== 'running') this.announcement.set(announcement ?? `${title}: ${activityStateLabel(state).word}.`);
      }
    });
    effect(() => {
      const [opened, panel] = [this.activities.opened(), this.panel()];
      if (!panel || opened === this.#lastOpened) return;
      this.#lastOpened = opened;
      untracked(() => panel.open());
    });
  }
}
