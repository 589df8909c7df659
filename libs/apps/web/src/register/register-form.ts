import { Component, computed, ElementRef, inject, input, output, signal, viewChild } from '@angular/core';
import { APP_TYPES, type App, type AppType, subdomainFrom } from '@homeport/apps/contracts';
import { asHttpProblem, ErrorPanel, type HttpProblem, Icon } from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';
import { TYPE_WORDS } from '../shared/app-words';
import { addressRules, brokenRule } from './address-rules';
import { nameHint } from './name-hint';
import { isFinal, nameRefusal } from './refusals';
import { RuleList } from './rule-list';

/** Registers an app; the address is derived and checked while the name is typed. */
@Component({
  selector: 'hp-register-form',
  imports: [ErrorPanel, Icon, RuleList],
  templateUrl: './register-form.html',
  styleUrl: './register-form.css',
})
export class RegisterForm {
  /** What follows the subdomain, where it is known: `.apps.example`. */
  readonly suffix = input('');
  readonly begun = output();
  readonly registered = output<App>();

  readonly #client = inject(AppsClient);
  private readonly nameField = viewChild.required<ElementRef<HTMLInputElement>>('nameField');
  protected readonly types = APP_TYPES.map((type) => ({ type, label: TYPE_WORDS[type] }));

  protected readonly name = signal('');
  protected readonly type = signal<AppType>('static');
  protected readonly busy = signal(false);
  protected readonly submitted = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);
  #attempt = newAttempt();

  protected readonly subdomain = computed(() => subdomainFrom(this.name()).subdomain);
  protected readonly address = computed(() => this.subdomain() + this.suffix());
  protected readonly hint = nameHint(() => (subdomainFrom(this.name()).fault ? undefined : this.subdomain()));
  protected readonly answer = computed(() => (this.hint.hasValue() ? this.hint.value() : undefined));
  protected readonly rules = computed(() => addressRules(this.name(), this.answer()?.reason === 'reserved'));
  protected readonly refusal = computed(() => {
    const problem = this.problem();
    return problem && nameRefusal(problem, this.subdomain());
  });
  /** What keeps the name from being registered, once somebody has tried. */
  protected readonly fault = computed(() => {
    if (!this.submitted()) return undefined;
    if (this.subdomain() === '') return 'Enter a name.';
    const broken = brokenRule(this.rules());
    return broken ? `The address breaks a rule: ${lowerFirst(broken.words)}.` : this.refusal();
  });

  protected rename(name: string): void {
    this.name.set(name);
    this.submitted.set(false);
    this.#reconsider();
  }

  protected choose(value: string): void {
    this.type.set(APP_TYPES.find((type) => type === value) ?? 'static');
    this.#reconsider();
  }

  protected async submit(event?: Event): Promise<void> {
    event?.preventDefault();
    if (this.busy()) return;
    this.submitted.set(true);
    this.problem.set(undefined);
    // The hint may be old by now, so only what the name itself breaks keeps it here.
    if (this.subdomain() === '' || brokenRule(addressRules(this.name()))) return this.#focusName();
    this.busy.set(true);
    this.begun.emit();
    try {
      this.registered.emit(await this.#client.register({ name: this.name(), type: this.type() }, this.#attempt));
      this.#clear();
    } catch (error) {
      this.#fail(asHttpProblem(error));
    } finally {
      this.busy.set(false);
    }
  }

  #fail(problem: HttpProblem): void {
    this.problem.set(problem);
    if (isFinal(problem)) this.#attempt = newAttempt();
    if (this.refusal()) this.#focusName();
  }

  #focusName(): void {
    this.nameField().nativeElement.focus();
  }

  /** Another content is another registration, and what was said about the last one is over. */
  #reconsider(): void {
    this.problem.set(undefined);
    this.#attempt = newAttempt();
  }

  #clear(): void {
    this.name.set('');
    this.submitted.set(false);
    this.#reconsider();
  }
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** Not `randomUUID`, which pages served over plain http do not have. */
function newAttempt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
