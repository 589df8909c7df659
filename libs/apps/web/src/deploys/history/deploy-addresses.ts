import { Component, computed, input, output } from '@angular/core';
import type { Deploy } from '@homeport/apps/contracts';
import { CopyButton, Icon } from '@homeport/platform/web';

interface Address {
  readonly label: string;
  readonly url: string;
  readonly host: string;
  readonly isAlias: boolean;
}

/** The preview address of a deploy and the address of its branch, to open and to copy. */
@Component({
  selector: 'hp-deploy-addresses',
  imports: [CopyButton, Icon],
  template: `
    <dl>
      @for (address of addresses(); track address.url) {
        <div>
          <dt>{{ address.label }}</dt>
          <dd>
            <a [href]="address.url" target="_blank" rel="noopener noreferrer"
              ><span>{{ address.host }}</span
              ><hp-icon name="external" /><span class="visually-hidden" i18n>(new tab)</span></a
            >
            <hp-copy-button [text]="address.url" [what]="address.label" />
            @if (address.isAlias) {
              <button type="button" class="button quiet small" (click)="removeAlias.emit()">
                <hp-icon name="trash" /><ng-container i18n>Remove</ng-container
                ><span class="visually-hidden"> {{ address.label }}</span>
              </button>
            }
          </dd>
        </div>
      }
    </dl>
  `,
  styleUrl: './deploy-addresses.css',
})
export class DeployAddresses {
  readonly deploy = input.required<Deploy>();
  readonly removeAlias = output();

  protected readonly addresses = computed((): readonly Address[] => {
    const { url, alias_url: alias, source } = this.deploy();
    const preview = { label: $localize`Preview`, url, host: new URL(url).host, isAlias: false };
    if (alias === null) return [preview];
    const label = $localize`Branch ${source?.branch ?? ''}:branch:`;
    return [{ label, url: alias, host: new URL(alias).host, isAlias: true }, preview];
  });
}
