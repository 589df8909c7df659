import { Component, computed, input } from '@angular/core';
import type { DeploySource } from '@homeport/apps/contracts';
import { Icon } from '@homeport/platform/web';

/** Hex digits of a commit id that people compare. */
const SHORT_COMMIT = 7;

/** The branch and the commit that a deploy was built from, with links to the address of the branch and to the source. */
@Component({
  selector: 'hp-source-links',
  imports: [Icon],
  template: `
    @if (source()?.branch; as branch) {
      @if (aliasUrl(); as url) {
        <a class="chip" [href]="url" [title]="aliasTitle()" target="_blank" rel="noopener noreferrer"
          ><hp-icon name="branch" /><span>{{ branch }}</span
          ><hp-icon name="external" /><span class="visually-hidden" i18n>(new tab)</span></a
        >
      } @else {
        <span class="chip" [title]="branch"
          ><hp-icon name="branch" /><span>{{ branch }}</span></span
        >
      }
    }
    @if (source()?.url; as url) {
      <a class="chip" [href]="url" target="_blank" rel="noopener noreferrer"
        ><span>{{ commit() || host() }}</span
        ><hp-icon name="external" /><span class="visually-hidden" i18n>(new tab)</span></a
      >
    } @else if (commit()) {
      <code class="chip">{{ commit() }}</code>
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-wrap: wrap;
      gap: var(--space-0-5) var(--space-2);
      min-width: 0;
    }
    :host(:empty) {
      display: none;
    }
    .chip {
      position: relative;
      display: inline-flex;
      align-items: center;
      gap: var(--space-1);
      min-width: 0;
      max-width: 100%;
      min-height: 24px;
      color: var(--muted);
      font: 12px/16px var(--mono);
    }
    .chip span:first-of-type {
      max-width: 24ch;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    hp-icon {
      flex: none;
      width: 14px;
      height: 14px;
    }
    a:hover {
      color: var(--text);
    }
  `,
})
export class SourceLinks {
  readonly source = input.required<DeploySource | null>();
  /** The address of the branch, if it shows this deploy. */
  readonly aliasUrl = input<string | null>(null);
  protected readonly aliasTitle = computed(() => URL.parse(this.aliasUrl() ?? '')?.host ?? '');
  protected readonly commit = computed(() => this.source()?.commit?.slice(0, SHORT_COMMIT) ?? '');
  protected readonly host = computed(() => URL.parse(this.source()?.url ?? '')?.host ?? '');
}
