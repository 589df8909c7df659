import { Component, computed, ElementRef, input, output, viewChild } from '@angular/core';
import type { App, Deploy } from '@homeport/apps/contracts';
import { ErrorPanel, Icon, translateServerText } from '@homeport/platform/web';
import { ProgressBar } from '@homeport/platform/web/on-demand';
import { restoreFocus } from '../../shared/restore-focus';
import { EntryList } from '../entry-list';
import { StartLog } from '../start-log';
import { DeployProblemList } from '../deploy-problem-list';
import { isRetryable, START_FAILED } from './deploy-upload-problems';
import {
  canCancel,
  doneMessage,
  doneOutcome,
  isInProgress,
  progressOf,
  stageMessage,
  startingMessage,
} from './deploy-stage';
import type { DeployUpload } from './deploy-upload';

/** Progress and outcome of the latest upload. */
@Component({
  selector: 'hp-upload-card',
  imports: [EntryList, ErrorPanel, DeployProblemList, Icon, ProgressBar, StartLog],
  templateUrl: './upload-card.html',
  styleUrl: './upload-card.css',
})
export class UploadCard {
  readonly upload = input.required<DeployUpload>();
  readonly app = input.required<App>();
  /** Whether an activation is in progress. */
  readonly busy = input(false);
  /** Whether the server of the deploy is starting. */
  readonly isStarting = input(false);
  readonly dismissed = output();
  readonly goLive = output<Deploy>();

  private readonly heading = viewChild.required<ElementRef<HTMLElement>>('heading');
  protected readonly stage = computed(() => this.upload().stage());
  protected readonly done = computed(() => {
    const stage = this.stage();
    return stage.at === 'done' ? stage.deploy : undefined;
  });
  protected readonly outcome = computed(() => {
    const stage = this.stage();
    return stage.at === 'done' ? doneOutcome(stage, this.app()) : undefined;
  });
  /** Whether visitors see this deploy now. */
  protected readonly isLive = computed(() => this.app().active_deploy_id === this.done()?.id);
  protected readonly isWarning = computed(() => this.outcome() === 'held-back' || this.outcome() === 'broken');
  protected readonly words = computed(() => {
    const outcome = this.outcome();
    if (outcome) return doneMessage(outcome);
    return this.isStarting() && this.stage().at === 'processing' ? startingMessage() : stageMessage(this.stage());
  });
  protected readonly progress = computed(() => progressOf(this.stage()));
  protected readonly isInProgress = computed(() => isInProgress(this.stage()));
  protected readonly canCancel = computed(() => canCancel(this.stage()));
  protected readonly problem = computed(() => {
    const stage = this.stage();
    return stage.at === 'failed' ? stage.problem : undefined;
  });
  protected readonly failureTitle = computed(() => {
    const problem = this.problem();
    // Problems found on this device have a title; the server's messages only give the reason.
    return problem?.code.startsWith('client.deploy-') ? problem.title : $localize`The deploy failed`;
  });
  /** Notes about the source. When the deploy is done, the problems found by the server replace the hint. */
  protected readonly notes = computed(() => {
    const { ignoredFiles, hint } = this.upload();
    return [ignoredFiles, this.done() ? '' : hint].filter(Boolean);
  });
  protected readonly canRetry = computed(() => isRetryable(this.problem()));
  /** The last lines of a server that did not start. */
  protected readonly startLog = computed(() => {
    const { code, errors = [] } = this.problem() ?? {};
    return code === START_FAILED ? errors.map(({ reason }) => reason) : [];
  });
  /** The rejected entries, unless the error message already contains the only one. */
  protected readonly rejected = computed(() => {
    const { errors = [], detail = '' } = this.startLog().length > 0 ? {} : (this.problem() ?? {});
    const isSaid = errors.length === 1 && errors.every(({ reason }) => detail.includes(translateServerText(reason)));
    return isSaid ? [] : errors.map(({ field, reason }) => ({ path: field, line: null, reason }));
  });
  protected readonly rejectedLabel = computed(() => $localize`Rejected files`);

  constructor() {
    const at = computed(() => this.stage().at);
    restoreFocus(at, () => this);
  }

  protected confirmLive(deploy: Deploy): void {
    if (!this.busy()) this.goLive.emit(deploy);
  }

  focus(): void {
    this.heading().nativeElement.focus();
  }
}
