import { Component, computed, ElementRef, input, output, viewChild } from '@angular/core';
import type { App, Deploy, DeployProblem } from '@homeport/apps/contracts';
import { Icon, RelativeTime } from '@homeport/platform/web';
import { AppCover } from '../../shared/cover/app-cover';
import { deployContentsMessage, lacksStartPage, noteOf, rollBackMessage } from '../deploy-messages';
import { DeployProblemList } from '../deploy-problem-list';
import { SourceLinks } from '../source-links';
import { liveHeadline } from './live-headline';

/** The deploy that visitors of the app see. */
@Component({
  selector: 'hp-live-deploy',
  imports: [AppCover, DeployProblemList, Icon, RelativeTime, SourceLinks],
  templateUrl: './live-deploy.html',
  styleUrl: './live-deploy.css',
})
export class LiveDeploy {
  readonly app = input.required<App>();
  /** Undefined while it is loading. */
  readonly deploy = input<Deploy>();
  readonly problems = input<readonly DeployProblem[]>([]);
  /** The rollback target, if it is known. */
  readonly former = input<Deploy | null>();
  readonly rollBack = output();

  private readonly heading = viewChild.required<ElementRef<HTMLElement>>('heading');
  protected readonly contents = computed(() => {
    const deploy = this.deploy();
    return deploy ? deployContentsMessage(deploy) : '';
  });

  protected readonly rollBackLabel = computed(() => {
    const former = this.former();
    return former ? rollBackMessage(former) : '';
  });
  protected readonly isBroken = computed(() => lacksStartPage(this.problems()));
  protected readonly headline = computed(() => liveHeadline(this.app(), this.isBroken()));
  protected readonly numbered = computed(() => {
    const number = this.deploy()?.number ?? this.app().active_deploy?.number;
    return number === undefined ? '' : `#${number}`;
  });
  protected readonly note = computed(() => {
    const deploy = this.deploy();
    return deploy ? noteOf(deploy) : '';
  });

  focus(): void {
    this.heading().nativeElement.focus();
  }
}
