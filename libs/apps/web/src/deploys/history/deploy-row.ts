import { Component, computed, input, output } from '@angular/core';
import type { Deploy } from '@homeport/apps/contracts';
import { exactTime, Icon, RelativeTime, translateServerText, StatusBadge } from '@homeport/platform/web';
import { deploySizeMessage, deployStatusLabel, hasContents, isDeployInProgress } from '../deploy-messages';
import { DeployDetailsView } from './deploy-details';

/** One deploy of the history with its status and actions. */
@Component({
  selector: 'hp-deploy-row',
  imports: [DeployDetailsView, Icon, RelativeTime, StatusBadge],
  templateUrl: './deploy-row.html',
  styleUrl: './deploy-row.css',
  host: { '[class.live]': 'isLive()' },
})
export class DeployRow {
  readonly deploy = input.required<Deploy>();
  readonly isLive = input(false);
  /** Whether another activation is in progress. */
  readonly busy = input(false);
  readonly activate = output();
  readonly delete = output();

  protected readonly status = computed(() => deployStatusLabel(this.deploy(), this.isLive()));
  protected readonly contents = computed(() => (hasContents(this.deploy()) ? deploySizeMessage(this.deploy()) : ''));
  protected readonly reason = computed(() => {
    const { error } = this.deploy();
    return error ? translateServerText(error.message) : '';
  });
  protected readonly isReady = computed(() => this.deploy().status === 'ready');
  protected readonly isSettled = computed(() => !isDeployInProgress(this.deploy()));
  /** Names the deploy for screen readers. */
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
