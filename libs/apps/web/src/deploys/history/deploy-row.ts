import { Component, computed, input, output } from '@angular/core';
import type { Deploy } from '@homeport/apps/contracts';
import { exactTime, Icon, Moment, serverText, StatusBadge } from '@homeport/platform/web';
import { contentsWords, deployWords, hasContents, isDeployUnsettled } from '../deploy-words';
import { DeployDetailsView } from './deploy-details';

/** One deploy of the history: how it stands, and what can be done with it. */
@Component({
  selector: 'hp-deploy-row',
  imports: [DeployDetailsView, Icon, Moment, StatusBadge],
  templateUrl: './deploy-row.html',
  styleUrl: './deploy-row.css',
  host: { '[class.live]': 'isLive()' },
})
export class DeployRow {
  readonly deploy = input.required<Deploy>();
  readonly isLive = input(false);
  /** Whether another change is under way. */
  readonly busy = input(false);
  readonly activate = output();
  readonly delete = output();

  protected readonly words = computed(() => deployWords(this.deploy(), this.isLive()));
  protected readonly contents = computed(() => (hasContents(this.deploy()) ? contentsWords(this.deploy()) : ''));
  protected readonly reason = computed(() => {
    const { error } = this.deploy();
    return error ? serverText(error.message) : '';
  });
  protected readonly isReady = computed(() => this.deploy().status === 'ready');
  protected readonly isSettled = computed(() => !isDeployUnsettled(this.deploy()));
  /** What tells it from the others. */
  protected readonly of = computed(
    () => $localize`of the deploy of ${exactTime(new Date(this.deploy().created_at))}:time:`,
  );
  protected readonly deleteLabel = computed(
    () => $localize`Delete the deploy of ${exactTime(new Date(this.deploy().created_at))}:time:`,
  );

  protected makeLive(): void {
    if (!this.busy()) this.activate.emit();
  }
}
