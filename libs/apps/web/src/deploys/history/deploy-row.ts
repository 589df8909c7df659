import { Clipboard } from '@angular/cdk/clipboard';
import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import type { ConnectedPosition } from '@angular/cdk/overlay';
import { Component, computed, inject, input, output, signal } from '@angular/core';
import type { Deploy } from '@homeport/apps/contracts';
import { Icon, RelativeTime, StatusBadge, type StatusTone, Toasts, translateServerText } from '@homeport/platform/web';
import { frameworkLabel } from '../../shared/app-messages';
import {
  deploySizeMessage,
  deployStatusLabel,
  hasContents,
  isDeployInProgress,
  noteOf,
  numberOf,
  problemCountMessage,
  rollBackMessage,
} from '../deploy-messages';
import { SourceLinks } from '../source-links';
import { StartLog } from '../start-log';
import { DeployAddresses } from './deploy-addresses';
import { DeployDetailsView } from './deploy-details';

const MENU_POSITIONS: ConnectedPosition[] = [
  { originX: 'end', originY: 'bottom', overlayX: 'end', overlayY: 'top', offsetY: 4 },
  { originX: 'end', originY: 'top', overlayX: 'end', overlayY: 'bottom', offsetY: -4 },
];

/** One deploy of the table, with its menu and, when they are open, its details. */
@Component({
  selector: 'hp-deploy-row',
  imports: [
    CdkMenu,
    CdkMenuItem,
    CdkMenuTrigger,
    DeployAddresses,
    DeployDetailsView,
    Icon,
    RelativeTime,
    SourceLinks,
    StartLog,
    StatusBadge,
  ],
  templateUrl: './deploy-row.html',
  styleUrl: './deploy-row.css',
  host: { role: 'rowgroup', '[class.live]': 'isLive()' },
})
export class DeployRow {
  readonly deploy = input.required<Deploy>();
  /** The tone of the app's status, for its live deploy; undefined for the others. */
  readonly live = input<StatusTone>();
  /** The rollback target of the live deploy, if it is known. */
  readonly former = input<Deploy | null>();
  /** Whether another activation is in progress. */
  readonly busy = input(false);
  readonly activate = output();
  readonly rollBack = output();
  readonly delete = output();
  readonly removeAlias = output();

  readonly #clipboard = inject(Clipboard);
  readonly #toasts = inject(Toasts);

  protected readonly positions = MENU_POSITIONS;
  protected readonly isOpen = signal(false);
  protected readonly isLive = computed(() => this.live() !== undefined);
  protected readonly numbered = computed(() => numberOf(this.deploy()));
  protected readonly menuLabel = computed(() => $localize`Actions for ${this.numbered()}:number:`);
  protected readonly rollBackLabel = computed(() => {
    const former = this.former();
    return former ? rollBackMessage(former) : '';
  });
  protected readonly note = computed(() => noteOf(this.deploy()));
  protected readonly status = computed(() => deployStatusLabel(this.deploy(), this.live()));
  protected readonly framework = computed(() => {
    const { framework } = this.deploy();
    return framework ? frameworkLabel(framework) : '';
  });
  protected readonly size = computed(() => (hasContents(this.deploy()) ? deploySizeMessage(this.deploy()) : ''));
  protected readonly reason = computed(() => {
    const { error } = this.deploy();
    return error ? translateServerText(error.message) : '';
  });
  /** The last lines of a server that did not start. */
  protected readonly startLog = computed(() => this.deploy().error?.log ?? []);
  protected readonly problemsLabel = computed(() => problemCountMessage(this.deploy().problem_count));
  protected readonly isReady = computed(() => this.deploy().status === 'ready');
  protected readonly isSettled = computed(() => !isDeployInProgress(this.deploy()));

  protected copyAddress(url: string): void {
    this.#toasts.show(this.#clipboard.copy(url) ? $localize`Address copied.` : $localize`Copying failed.`);
  }

  protected toggleDetails(): void {
    this.isOpen.update((isOpen) => !isOpen);
  }
}
