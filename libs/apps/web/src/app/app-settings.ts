import { Component, computed, inject } from '@angular/core';
import { Router } from '@angular/router';
import type { App } from '@homeport/apps/contracts';
import { TokenList } from '@homeport/identity/web/tokens';
import { Icon, RelativeTime } from '@homeport/platform/web';
import { AppAddresses } from '../domains/app-addresses';
import { appTypeLabel } from '../shared/app-messages';
import { AppDeleter } from './app-deleter';
import { DnsSection } from './dns-section';
import { ShownApp } from './shown-app';
import { TrustList } from './trusts/trust-list';

/** The settings of an app: its addresses, what deploys it, and its deletion. */
@Component({
  selector: 'hp-app-settings',
  imports: [AppAddresses, DnsSection, Icon, RelativeTime, TokenList, TrustList],
  templateUrl: './app-settings.html',
  styleUrl: './app-settings.css',
})
export class AppSettings {
  readonly #deleter = inject(AppDeleter);
  readonly #router = inject(Router);
  protected readonly shown = inject(ShownApp);
  protected readonly type = computed(() => appTypeLabel(this.shown.data.value()?.type ?? 'static'));

  protected async remove(app: App): Promise<void> {
    this.shown.removing.set(true);
    if (await this.#deleter.delete(app)) await this.#router.navigateByUrl('/apps');
    else this.shown.removing.set(false);
  }
}
