import { Component, computed, input } from '@angular/core';
import type { DeployProblem } from '@homeport/apps/contracts';
import { Icon } from '@homeport/platform/web';
import { problemCountMessage } from './deploy-messages';
import { EntryList } from './entry-list';

/** Problems found in the files of a deploy, collapsed by default. */
@Component({
  selector: 'hp-deploy-problem-list',
  imports: [EntryList, Icon],
  template: `
    <details>
      <summary class="status warn">
        <hp-icon name="alert" />{{ words() }}<hp-icon class="fold" name="chevron-right" />
      </summary>
      <hp-entry-list [entries]="problems()" [label]="words()" />
    </details>
  `,
  styles: `
    :host {
      display: block;
    }
    .status .fold {
      width: 14px;
      height: 14px;
      color: var(--muted);
      transition: rotate var(--motion-fast);
    }
    [open] .fold {
      rotate: 90deg;
    }
    summary {
      min-height: max(24px, var(--control) - 8px);
      border-radius: 4px;
      cursor: pointer;
    }
    summary:hover {
      text-decoration: underline;
    }
  `,
})
export class DeployProblemList {
  readonly problems = input.required<readonly DeployProblem[]>();
  protected readonly words = computed(() => problemCountMessage(this.problems().length));
}
