import { Component, computed, effect, ElementRef, inject, input, output, signal, viewChild } from '@angular/core';
import {
  type App,
  type AppType,
  RESERVED_SUBDOMAINS,
  type SubdomainAvailability,
  subdomainFrom,
} from '@homeport/apps/contracts';
import { asHttpProblem, ErrorPanel, type HttpProblem, Icon } from '@homeport/platform/web';
import { type Segment, Segmented } from '@homeport/platform/web/on-demand';
import { AppsClient } from '../client/apps-client';
import { addressFault, reservedMessage, takenMessage } from './address-fault';
import { addressSuggestion } from './address-suggestion';
import { screenReaderMessage } from './screen-reader-message';
import { subdomainAvailability } from './subdomain-availability';
import { isFinalResponse, nameErrorMessage } from './registration-errors';

/** Screen readers announce the name after a pause in typing, not at every letter. */
const ANNOUNCE_AFTER_MS = 1_000;

/** Registers an app; the address is derived and checked while the user types. */
@Component({
  selector: 'hp-register-form',
  imports: [ErrorPanel, Icon, Segmented],
  templateUrl: './register-form.html',
  styleUrl: './register-form.css',
})
export class RegisterForm {
  /** The text after the subdomain, `.apps.example`; empty while unknown. */
  readonly suffix = input('');
  /** Names that cannot be registered; the built-in list until the API responds. */
  readonly reserved = input<readonly string[]>(RESERVED_SUBDOMAINS);
  /** The types of apps that can be registered. The form asks for one only when there is a choice. */
  readonly types = input<readonly AppType[]>([]);
  readonly registered = output<App>();
  readonly cancelled = output();
  readonly busyChange = output<boolean>();

  readonly #client = inject(AppsClient);
  private readonly nameField = viewChild.required<ElementRef<HTMLInputElement>>('nameField');
  protected readonly name = signal('');
  /** The address of the name in the placeholder. */
  protected readonly example = 'acme-site';
  protected readonly type = signal<AppType>('static');
  protected readonly choices = computed<readonly Segment<AppType>[]>(() =>
    this.types().length > 1 ? this.types().map((type) => ({ value: type, label: typeLabel(type) })) : [],
  );
  protected readonly busy = signal(false);
  protected readonly submitted = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);
  #attempt = newAttempt();

  readonly #derived = computed(() => subdomainFrom(this.name(), this.reserved()));
  protected readonly subdomain = computed(() => this.#derived().subdomain);
  protected readonly address = computed(() => this.subdomain() + this.suffix());
  protected readonly hint = subdomainAvailability(() => (this.#derived().fault ? undefined : this.subdomain()));
  protected readonly answer = computed(() => (this.hint.hasValue() ? this.hint.value() : undefined));
  protected readonly refusal = computed(() => {
    const problem = this.problem();
    return problem && nameErrorMessage(problem, this.subdomain());
  });
  readonly #broken = computed(() => addressFault(this.name(), this.reserved()));
  /** What is missing in a name that is only too short so far; not an error before the first attempt. */
  protected readonly missing = computed(() =>
    this.#broken()?.isIncomplete && !this.submitted() ? this.#broken()?.words : undefined,
  );
  /** Why the name cannot be registered. */
  protected readonly fault = computed(() => {
    if (this.missing() !== undefined) return undefined;
    if (this.subdomain() === '') return this.submitted() ? $localize`Enter a name.` : undefined;
    return this.#broken()?.words ?? this.refusal() ?? unavailableMessage(this.answer());
  });
  /** A similar name that can be registered. */
  protected readonly suggestion = computed(() =>
    this.fault() === undefined ? undefined : addressSuggestion(this.name(), this.reserved()),
  );
  readonly #message = computed(() =>
    screenReaderMessage({
      address: this.subdomain() && this.address(),
      fault: this.fault() ?? this.missing(),
      answer: this.answer(),
    }),
  );
  readonly #delayed = signal('');
  /** After an attempt immediately, while typing after a pause. */
  protected readonly announcement = computed(() =>
    this.submitted() ? (this.fault() ?? this.#delayed()) : this.#delayed(),
  );

  protected readonly submitWords = computed(() => (this.busy() ? $localize`Creating…` : $localize`Create app`));

  constructor() {
    effect((onCleanup) => {
      const message = this.#message();
      const timer = setTimeout(() => this.#delayed.set(message), ANNOUNCE_AFTER_MS);
      onCleanup(() => clearTimeout(timer));
    });
  }

  protected rename(name: string): void {
    this.name.set(name);
    this.submitted.set(false);
    this.#reconsider();
  }

  protected choose(type: AppType): void {
    this.type.set(type);
    this.#reconsider();
  }

  protected use(suggestion: string): void {
    this.rename(suggestion);
    this.#focusName();
  }

  protected cancel(): void {
    if (!this.busy()) this.cancelled.emit();
  }

  protected async submit(event?: Event): Promise<void> {
    event?.preventDefault();
    if (this.busy()) return;
    this.submitted.set(true);
    this.problem.set(undefined);
    // The availability hint may be outdated, so only a broken rule stops the request.
    if (this.subdomain() === '' || this.#derived().fault) return this.#focusName();
    this.#setBusy(true);
    try {
      this.registered.emit(await this.#client.register({ name: this.name(), type: this.type() }, this.#attempt));
    } catch (error) {
      this.#fail(asHttpProblem(error));
    } finally {
      this.#setBusy(false);
    }
  }

  #setBusy(isBusy: boolean): void {
    this.busy.set(isBusy);
    this.busyChange.emit(isBusy);
  }

  #fail(problem: HttpProblem): void {
    this.problem.set(problem);
    if (isFinalResponse(problem)) this.#attempt = newAttempt();
    if (this.refusal()) this.#focusName();
  }

  #focusName(): void {
    this.nameField().nativeElement.focus();
  }

  /** A changed form is a new registration, which needs a new idempotency key and no old message. */
  #reconsider(): void {
    this.problem.set(undefined);
    this.#attempt = newAttempt();
  }
}

function typeLabel(type: AppType): string {
  return type === 'static' ? $localize`:app type|:Static` : $localize`:app type|:With a server`;
}

/** The API knows reserved names that this page does not, and the names that are taken. */
function unavailableMessage(answer: SubdomainAvailability | undefined): string | undefined {
  if (answer?.reason === 'taken') return takenMessage(answer.subdomain);
  return answer?.reason === 'reserved' ? reservedMessage(answer.subdomain) : undefined;
}

/** Not `randomUUID`, which is unavailable on pages served over plain HTTP. */
function newAttempt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
