import {
  afterNextRender,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  input,
  output,
  signal,
} from '@angular/core';
import { type EnvironmentVariable, VARIABLE_SCOPES } from '@homeport/apps/contracts';
import {
  asHttpProblem,
  ErrorPanel,
  type HttpProblem,
  Icon,
  RelativeTime,
  Toasts,
  translateServerText,
} from '@homeport/platform/web';
import { EnvironmentClient } from '../client/environment-client';
import { parseEnvFile } from './env-file';
import { savedMessage, scopeLabel } from './environment-messages';
import { emptyRow, faultOf, insertEntries, isEmptyRow, type RowFault, type VariableRow } from './variable-rows';

/** Adds and replaces variables of an app. */
@Component({
  selector: 'hp-variable-form',
  imports: [ErrorPanel, Icon, RelativeTime],
  templateUrl: './variable-form.html',
  styleUrl: './variable-form.css',
})
export class VariableForm {
  readonly appId = input.required<string>();
  readonly existing = input.required<readonly EnvironmentVariable[]>();
  readonly saved = output<EnvironmentVariable>();

  readonly #client = inject(EnvironmentClient);
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);
  readonly #rows = signal<readonly VariableRow[]>([emptyRow()]);
  readonly #isSubmitted = signal(false);
  protected readonly scopes = VARIABLE_SCOPES.map((value) => ({ value, label: scopeLabel(value) }));
  protected readonly busy = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);
  /** How many variables were filled in from the clipboard. */
  protected readonly pasted = signal('');
  protected readonly rows = computed(() => {
    const rows = this.#rows();
    const existing = new Map(this.existing().map((variable) => [variable.name, variable]));
    return rows.map((row, index) => ({
      ...row,
      label: $localize`Variable ${index + 1}:number:`,
      removeLabel: $localize`Remove variable ${index + 1}:number: from the form`,
      replaced: existing.get(row.name),
      fault: this.#isSubmitted() && !this.#isIgnored(row) ? faultOf(row, rows, this.existing()) : undefined,
    }));
  });
  protected readonly submitWords = computed(() => (this.busy() ? $localize`Saving…` : $localize`Save and restart`));

  /** Starts to replace the value of a variable. */
  change({ name, scope }: EnvironmentVariable): void {
    this.#rows.update((rows) => [
      ...rows.filter((row) => !isEmptyRow(row) && row.name !== name),
      { ...emptyRow(), name, scope },
    ]);
    this.#focus(':nth-last-child(1 of .row) textarea');
  }

  protected set(row: VariableRow, changed: Partial<Pick<VariableRow, 'name' | 'value' | 'scope'>>): void {
    this.#rows.update((rows) =>
      rows.map((each) => (each.key === row.key ? { ...each, refusal: undefined, ...changed } : each)),
    );
  }

  protected setScope(row: VariableRow, text: string): void {
    const scope = VARIABLE_SCOPES.find((each) => each === text);
    if (scope) this.set(row, { scope });
  }

  protected add(): void {
    this.#rows.update((rows) => [...rows, emptyRow()]);
    this.#focus(':nth-last-child(1 of .row) input');
  }

  protected drop(row: VariableRow): void {
    this.#rows.update((rows) => rows.filter(({ key }) => key !== row.key));
    if (this.#rows().length === 0) this.#rows.set([emptyRow()]);
    this.#focus(':nth-last-child(1 of .row) input');
  }

  /** Fills in the variables when the text of an `.env` file is pasted. */
  protected paste(event: ClipboardEvent, row: VariableRow): void {
    const entries = parseEnvFile(event.clipboardData?.getData('text') ?? '');
    if (entries.length === 0) return;
    event.preventDefault();
    this.#rows.update((rows) => insertEntries(rows, row, entries));
    this.pasted.set(
      entries.length === 1
        ? $localize`1 variable filled in.`
        : $localize`${entries.length}:count: variables filled in.`,
    );
    this.#focus('button[type=submit]');
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.busy()) return;
    this.pasted.set('');
    this.problem.set(undefined);
    this.#isSubmitted.set(true);
    if (this.rows().some(({ fault }) => fault)) return this.#focusFault();
    this.busy.set(true);
    const count = await this.#saveRows();
    this.busy.set(false);
    if (count > 0) this.#toasts.show(savedMessage(count));
    if (this.#rows().length > 0) return this.#focusFault();
    this.#rows.set([emptyRow()]);
    this.#isSubmitted.set(false);
    this.#focus('.row input');
  }

  /** Saves one row after the other and removes the saved ones. @returns how many were saved. */
  async #saveRows(): Promise<number> {
    let count = 0;
    for (const row of this.#rows()) {
      try {
        if (!isEmptyRow(row)) {
          this.saved.emit(await this.#client.set(this.appId(), row.name, { value: row.value, scope: row.scope }));
          count += 1;
        }
        this.#rows.update((rows) => rows.filter(({ key }) => key !== row.key));
      } catch (error) {
        const problem = asHttpProblem(error);
        const refusal = refusalIn(problem);
        if (refusal === undefined) {
          this.problem.set(problem);
          return count;
        }
        this.#rows.update((rows) => rows.map((each) => (each.key === row.key ? { ...each, refusal } : each)));
      }
    }
    return count;
  }

  /** Empty rows are ignored, unless all are empty. */
  #isIgnored(row: VariableRow): boolean {
    return isEmptyRow(row) && this.#rows().some((each) => !isEmptyRow(each));
  }

  #focusFault(): void {
    this.#focus('[aria-invalid]');
  }

  #focus(selector: string): void {
    afterNextRender(() => this.#host.querySelector<HTMLElement>(selector)?.focus(), { injector: this.#injector });
  }
}

function refusalIn({ errors }: HttpProblem): RowFault | undefined {
  const error = errors.find(({ field }) => field === 'name' || field === 'value');
  return error && { field: error.field as RowFault['field'], words: translateServerText(error.reason) };
}
