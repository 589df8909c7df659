import { Dialog, DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, type Injector, signal } from '@angular/core';
import type { Domain, DomainKind } from '@homeport/apps/contracts';
import { AuthSession } from '@homeport/identity/web';
import {
  asHttpProblem,
  ErrorPanel,
  type HttpProblem,
  Icon,
  screenData,
  translateServerText,
} from '@homeport/platform/web';
import { RequestForm, Segmented } from '@homeport/platform/web/on-demand';
import { firstValueFrom } from 'rxjs';
import { AppsClient } from '../client/apps-client';
import { DomainsClient } from '../client/domains-client';
import { domainsData, offersBaseDomains } from '../shared/domains-data';
import { priceMessage } from './price-messages';
import { typedName } from './typed-name';

interface AddDomainData {
  /** The app of the page; undefined where the person chooses. */
  readonly appId: string | undefined;
}

/** Asks for a name, what it shows, and the acceptance of its price. */
@Component({
  selector: 'hp-add-domain-dialog',
  imports: [ErrorPanel, Icon, RequestForm, Segmented],
  templateUrl: './add-domain-dialog.html',
  styleUrl: './add-domain-dialog.css',
})
class AddDomainDialog {
  readonly #dialog = inject<DialogRef<Domain>>(DialogRef);
  readonly #client = inject(DomainsClient);
  readonly #apps = inject(AppsClient);
  readonly #session = inject(AuthSession);
  protected readonly appId = inject<AddDomainData>(DIALOG_DATA).appId;

  protected readonly kinds: readonly { readonly value: DomainKind; readonly label: string }[] = [
    { value: 'hostname', label: $localize`One app` },
    { value: 'base', label: $localize`All apps` },
  ];
  protected readonly chosenKind = signal<DomainKind>('hostname');
  protected readonly text = signal('');
  protected readonly chosenApp = signal(this.appId ?? '');
  /** What the server says of the sent name. */
  readonly #refusal = signal<{ readonly name: string; readonly words: string } | undefined>(undefined);
  protected readonly priceNotice = signal('');

  protected readonly domains = domainsData();
  protected readonly offersBase = computed(() => offersBaseDomains(this.domains.value()));
  protected readonly kind = computed(() => (this.offersBase() ? this.chosenKind() : 'hostname'));
  protected readonly apps = screenData({
    key: () => this.#session.userScope(),
    load: (_scope, signal) => this.#apps.list(signal),
  });
  /** USD a month; undefined while it is not known. */
  readonly #price = computed(() => this.domains.value()?.prices_usd?.[this.kind()]);
  protected readonly price = computed(() => {
    const price = this.#price();
    return price === undefined ? undefined : priceMessage(price);
  });
  protected readonly isFree = computed(() => this.#price() === 0);
  protected readonly isPriceUnknown = computed(() => this.domains.value()?.prices_usd === null);
  protected readonly action = computed(() => {
    const price = this.price();
    return price === undefined || this.isFree() ? $localize`Add domain` : $localize`Add for ${price}:price:`;
  });
  protected readonly chooseWords = computed(() =>
    this.apps.value()
      ? $localize`Choose an app`
      : this.apps.problem()
        ? $localize`Could not be loaded`
        : $localize`Loading…`,
  );
  protected readonly placeholder = computed(() => (this.kind() === 'base' ? 'acme.com' : 'www.acme.com'));
  protected readonly name = computed(() => typedName(this.text()));
  /** An address that an app gets. */
  protected readonly example = computed(() => {
    const subdomain = this.apps.value()?.[0]?.subdomain ?? $localize`my-app`;
    return `${subdomain}.${this.name() || this.placeholder()}`;
  });
  protected readonly nameFault = computed(() => {
    const refusal = this.#refusal();
    if (this.name() === '') return $localize`Enter a name that your organization owns.`;
    return refusal?.name === this.name() ? refusal.words : undefined;
  });
  protected readonly appFault = computed(() =>
    this.kind() === 'hostname' && this.chosenApp() === '' ? $localize`Choose the app to show.` : undefined,
  );
  /** A name that the server refused may be sent again: its DNS may have changed. */
  protected readonly isValid = computed(
    () => this.name() !== '' && this.appFault() === undefined && this.#price() !== undefined,
  );

  protected readonly add = async (): Promise<boolean> => {
    const name = this.name();
    this.priceNotice.set('');
    this.#refusal.set(undefined);
    try {
      const app = this.kind() === 'hostname' && { app_id: this.chosenApp() };
      const accept_price_usd = this.#price() ?? 0;
      this.#dialog.close(await this.#client.add({ kind: this.kind(), name, ...app, accept_price_usd }));
      return true;
    } catch (error) {
      const problem = asHttpProblem(error);
      if (problem.code === 'apps.price-changed') this.#askForPrice();
      else this.#refuse(name, problem);
      return false;
    }
  };

  #askForPrice(): void {
    this.domains.reload();
    this.priceNotice.set(
      $localize`The price has changed. Nothing was added: add the domain again to accept the new price.`,
    );
  }

  /** @throws {HttpProblem} that does not concern the name. */
  #refuse(name: string, problem: HttpProblem): void {
    const fault = problem.errors.find(({ field }) => field === 'name');
    if (!fault) throw problem;
    this.#refusal.set({ name, words: translateServerText(fault.reason) });
  }
}

/** @returns the new domain; undefined when the dialog was cancelled. */
export function openAddDomainDialog(injector: Injector, appId: string | undefined): Promise<Domain | undefined> {
  const opened = injector.get(Dialog).open<Domain, AddDomainData>(AddDomainDialog, {
    ariaLabelledBy: 'add-domain-title',
    ariaModal: true,
    autoFocus: 'input:not([type=radio])',
    panelClass: 'dialog-panel',
    backdropClass: 'dialog-backdrop',
    hasBackdrop: true,
    data: { appId },
  });
  return firstValueFrom(opened.closed, { defaultValue: undefined });
}
