import { Component, computed, ElementRef, input, output, viewChild } from '@angular/core';
import type { App, Deploy, DeployProblem } from '@homeport/apps/contracts';
import { Icon, RelativeTime } from '@homeport/platform/web';
import { deploySizeMessage } from '../deploy-messages';
import { DeployProblemList } from '../deploy-problem-list';

/** The deploy that visitors of the app see. */
@Component({
  selector: 'hp-live-deploy',
  imports: [DeployProblemList, Icon, RelativeTime],
  templateUrl: './live-deploy.html',
  styleUrl: './live-deploy.css',
})
export class LiveDeploy {
  readonly app = input.required<App>();
  /** Undefined while it is loading. */
  readonly deploy = input<Deploy>();
  readonly problems = input<readonly DeployProblem[]>([]);
  readonly canRollBack = input(false);
  readonly rollBack = output();

  private readonly heading = viewChild.required<ElementRef<HTMLElement>>('heading');
  protected readonly contents = computed(() => {
    const deploy = this.deploy();
    return deploy ? deploySizeMessage(deploy) : '';
  });

  focus(): void {
    this.heading().nativeElement.focus();
  }
}
