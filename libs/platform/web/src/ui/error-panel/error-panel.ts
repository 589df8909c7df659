import { Component, computed, input, output } from '@angular/core';
import type { HttpProblem } from '../../http/http-problem';
import { CopyButton } from '../copy-button/copy-button';
import { Icon } from '../icon/icon';

/** Shows an error, the next step and the request id for support. */
@Component({
  selector: 'hp-error-panel',
  imports: [CopyButton, Icon],
  templateUrl: './error-panel.html',
  styleUrl: './error-panel.css',
})
export class ErrorPanel {
  readonly problem = input.required<HttpProblem>();
  /** The failed task in the user's terms: "Your files could not be loaded". */
  readonly title = input<string>();
  /** Whether a retry can help. */
  readonly retryable = input(true);
  readonly busy = input(false);
  readonly retry = output();

  protected readonly words = computed(() => (this.busy() ? $localize`Retrying…` : $localize`Retry`));
  protected readonly icon = computed(() => (this.problem().kind === 'offline' ? 'offline' : 'alert'));
  protected readonly heading = computed(() => this.title() ?? this.problem().title);
}
