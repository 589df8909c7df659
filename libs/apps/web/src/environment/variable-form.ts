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
  type HttpProblem,
  Icon,
  RelativeTime,
  Toasts,
  translateServerText,
} from '@homeport/platform/web';
import { RequestForm } from '@homeport/platform/web/on-demand';
import { EnvironmentClient } from '../client/environment-client';
import { parseEnvFile } from './env-file';
import { savedMessage, scopeLabel } from './environment-messages';
import { emptyRow, faultOf, insertEntries, isEmptyRow, type RowFault, type VariableRow } from './variable-rows';

/** Adds and replaces variables of an app. */
@Component({
  selector: 'hp-variable-form',
  imports: [Icon, RelativeTime, RequestForm],
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
  protected readonly scopes = VARIABLE_SCOPES.map((value) => ({ value, label: scopeLabel(value) }));
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
      fault: this.#isIgnored(row) ? undefined : faultOf(row, rows, this.existing()),
    }));
  });
  protected readonly isValid = computed(() => !this.rows().some(({ fault }) => fault));

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

  /** Saves one row after the other, and removes those that are saved. */
  protected readonly save = async (): Promise<boolean> => {
    this.pasted.set('');
    let count = 0;
    try {
      for (const row of this.#rows()) if (await this.#saveRow(row)) count += 1;
    } finally {
      if (count > 0) this.#toasts.show(savedMessage(count));
    }
    if (this.#rows().length > 0) return false;
    this.#rows.set([emptyRow()]);
    this.#focus('.row input');
    return true;
  };

  /**
   * @returns whether the variable was saved. An empty row has none, and the server can refuse a field.
   * @throws {HttpProblem} the request failed.
   */
  async #saveRow(row: VariableRow): Promise<boolean> {
    const isEmpty = isEmptyRow(row);
    try {
      if (!isEmpty)
        this.saved.emit(await this.#client.set(this.appId(), row.name, { value: row.value, scope: row.scope }));
      this.#rows.update((rows) => rows.filter(({ key }) => key !== row.key));
      return !isEmpty;
    } catch (error) {
      const problem = asHttpProblem(error);
      const refusal = refusalIn(problem);
      if (refusal === undefined) throw problem;
      this.#rows.update((rows) => rows.map((each) => (each.key === row.key ? { ...each, refusal } : each)));
      return false;
    }
  }

  /** Empty rows are ignored, unless all are empty. */
  #isIgnored(row: VariableRow): boolean {
    return isEmptyRow(row) && this.#rows().some((each) => !isEmptyRow(each));
  }

  #focus(selector: string): void {
    afterNextRender(() => this.#host.querySelector<HTMLElement>(selector)?.focus(), { injector: this.#injector });
  }
}

function refusalIn({ errors }: HttpProblem): RowFault | undefined {
  const error = errors.find(({ field }) => field === 'name' || field === 'value');
  return error && { field: error.field as RowFault['field'], words: translateServerText(error.reason) };
}
