import { Component, computed, ElementRef, inject, input, output, signal, viewChild } from '@angular/core';
import { APP_TYPES, type App, type AppType } from '@homeport/apps/contracts';
import { asHttpProblem, ErrorPanel, type HttpProblem, Icon } from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';
import { checkAddress, nameRefusal } from './address-check';

const TYPE_LABELS: Readonly<Record<AppType, string>> = { static: 'Static files', ssr: 'Server rendered' };

/** Registers an app; the address is derived and checked while the name is typed. */
@Component({
  selector: 'hp-register-form',
  imports: [ErrorPanel, Icon],
  templateUrl: './register-form.html',
  styleUrl: './register-form.css',
})
export class RegisterForm {
  /** What follows the subdomain, where it is known: `.apps.example`. */
  readonly suffix = input('');
  readonly registered = output<App>();

  readonly #client = inject(AppsClient);
  private readonly nameField = viewChild.required<ElementRef<HTMLInputElement>>('nameField');
  protected readonly types = APP_TYPES.map((type) => ({ type, label: TYPE_LABELS[type] }));

  protected readonly name = signal('');
  protected readonly type = signal<AppType>('static');
  protected readonly busy = signal(false);
  protected readonly submitted = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);
  #attempt = newAttempt();

  protected readonly check = computed(() => checkAddress(this.name()));
  protected readonly refusal = computed(() => {
    const problem = this.problem();
    return problem && nameRefusal(problem, this.check().subdomain);
  });
  protected readonly fault = computed(() => {
    if (this.name().trim() === '') return this.submitted() ? 'Enter a name.' : undefined;
    return this.check().fault ?? this.refusal();
  });

  protected rename(name: string): void {
    this.name.set(name);
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
    if (this.fault()) return this.nameField().nativeElement.focus();
    this.busy.set(true);
    try {
      this.registered.emit(await this.#client.register({ name: this.name(), type: this.type() }, this.#attempt));
      this.#clear();
    } catch (error) {
      this.problem.set(asHttpProblem(error));
      if (this.refusal()) this.nameField().nativeElement.focus();
    } finally {
      this.busy.set(false);
    }
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

/** Not `randomUUID`, which pages served over plain http do not have. */
function newAttempt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
