import { Component, computed, input, output } from '@angular/core';
import type { Deploy } from '@homeport/apps/contracts';
import { exactTime, Icon, RelativeTime, translateServerText, StatusBadge } from '@homeport/platform/web';
import {
  deploySizeMessage,
  deployStatusLabel,
  hasContents,
  isDeployInProgress,
  problemCountMessage,
} from '../deploy-messages';
import { numberMessage } from '../deploy-numbers';
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
  /** The tone of the live deploy; undefined for the others. */
  readonly live = input<'ok' | 'warn' | 'bad'>();
  protected readonly isLive = computed(() => this.live() !== undefined);
  /** Undefined while it is unknown. */
  readonly number = input<number>();
  /** The name of the folder or archive, if it is known. */
  readonly source = input<string>();
  /** The problems found in its files, if they are known. */
  readonly problemCount = input(0);
  /** Whether another activation is in progress. */
  readonly busy = input(false);
  readonly activate = output();
  readonly delete = output();

  protected readonly status = computed(() => deployStatusLabel(this.deploy(), this.live()));
  protected readonly contents = computed(() => (hasContents(this.deploy()) ? deploySizeMessage(this.deploy()) : ''));
  protected readonly reason = computed(() => {
    const { error } = this.deploy();
    return error ? translateServerText(error.message) : '';
  });
  protected readonly numbered = computed(() => numberMessage(this.number()));
  protected readonly problemsLabel = computed(() => problemCountMessage(this.problemCount()));
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
