import { Component, computed, ElementRef, input, output, viewChild } from '@angular/core';
import type { App, Deploy, DeployProblem } from '@homeport/apps/contracts';
import { Icon, Moment } from '@homeport/platform/web';
import { contentsWords } from '../deploy-words';
import { FoundProblems } from '../found-problems';

/** What people see who open the app: the one thing nobody may mistake. */
@Component({
  selector: 'hp-live-deploy',
  imports: [FoundProblems, Icon, Moment],
  templateUrl: './live-deploy.html',
  styleUrl: './live-deploy.css',
})
export class LiveDeploy {
  readonly app = input.required<App>();
  /** Undefined while it is not known. */
  readonly deploy = input<Deploy>();
  readonly problems = input<readonly DeployProblem[]>([]);
  readonly canRollBack = input(false);
  readonly rollBack = output();

  private readonly heading = viewChild.required<ElementRef<HTMLElement>>('heading');
  protected readonly contents = computed(() => {
    const deploy = this.deploy();
    return deploy ? contentsWords(deploy) : '';
  });

  focus(): void {
    this.heading().nativeElement.focus();
  }
}
