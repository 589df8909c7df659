import { Component, computed, ElementRef, input, output, viewChild } from '@angular/core';
import type { App } from '@homeport/apps/contracts';
import { ErrorPanel, Icon, ProgressBar } from '@homeport/platform/web';
import { keepFocus } from '../../shared/keep-focus';
import { EntryList } from '../entry-list';
import { FoundProblems } from '../found-problems';
import { mayWorkAgain } from './deploy-problems';
import { canCancel, doneWords, isUnderWay, shareOf, stageWords } from './deploy-stage';
import type { DeployUpload } from './deploy-upload';

/** How far the deploy is that was begun last, and what came of it. */
@Component({
  selector: 'hp-upload-card',
  imports: [EntryList, ErrorPanel, FoundProblems, Icon, ProgressBar],
  templateUrl: './upload-card.html',
  styleUrl: './upload-card.css',
})
export class UploadCard {
  readonly upload = input.required<DeployUpload>();
  readonly app = input.required<App>();
  readonly dismissed = output();

  private readonly heading = viewChild.required<ElementRef<HTMLElement>>('heading');
  protected readonly stage = computed(() => this.upload().stage());
  protected readonly done = computed(() => {
    const stage = this.stage();
    return stage.at === 'done' ? stage.deploy : undefined;
  });
  /** Whether it is what people see by now. */
  protected readonly isLive = computed(() => this.app().active_deploy_id === this.done()?.id);
  protected readonly words = computed(() => (this.done() ? doneWords(this.isLive()) : stageWords(this.stage())));
  protected readonly share = computed(() => shareOf(this.stage()));
  protected readonly isUnderWay = computed(() => isUnderWay(this.stage()));
  protected readonly canCancel = computed(() => canCancel(this.stage()));
  protected readonly problem = computed(() => {
    const stage = this.stage();
    return stage.at === 'failed' ? stage.problem : undefined;
  });
  protected readonly failureTitle = computed(() => {
    const problem = this.problem();
    // What went wrong here says so itself; what the server says is only why.
    return problem?.code.startsWith('client.deploy-') ? problem.title : $localize`The deploy failed`;
  });
  /** Once it is there, the server says what is to be said of what is in it. */
  protected readonly notes = computed(() => {
    const { leftOut, hint } = this.upload();
    return [leftOut, this.done() ? '' : hint].filter(Boolean);
  });
  protected readonly canRetry = computed(() => mayWorkAgain(this.problem()));
  /** What was refused, unless the sentence says all of it. */
  protected readonly refused = computed(() => {
    const { errors = [], detail = '' } = this.problem() ?? {};
    const isSaid = errors.length === 1 && errors.every(({ reason }) => detail.includes(reason));
    return isSaid ? [] : errors.map(({ field, reason }) => ({ path: field, line: null, reason }));
  });
  protected readonly refusedLabel = computed(() => $localize`Entries that were refused`);

  constructor() {
    const at = computed(() => this.stage().at);
    keepFocus(at, () => this);
  }

  focus(): void {
    this.heading().nativeElement.focus();
  }
}
