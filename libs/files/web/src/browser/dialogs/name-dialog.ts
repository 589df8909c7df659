import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { type AfterViewInit, Component, computed, type ElementRef, inject, signal, viewChild } from '@angular/core';
import { asHttpProblem, ErrorPanel, type HttpProblem } from '@homeport/platform/web';

export interface NameDialogData {
  readonly title: string;
  readonly label: string;
  /** A hint for a valid name; may be empty. */
  readonly hint: (name: string) => string;
  readonly action: string;
  readonly initial: string;
  /** Why a name is invalid; undefined when it is valid. */
  readonly fault: (name: string) => string | undefined;
  /** Runs while the dialog is open; when it fails, the dialog shows the problem. */
  readonly run: (name: string) => Promise<void>;
}

/** Asks for a name and checks it while the user types. */
@Component({
  selector: 'hp-name-dialog',
  imports: [ErrorPanel],
  template: `
    <form class="dialog-form" (submit)="confirm($event)">
      <h2 id="name-title">{{ ask.title }}</h2>
      <label class="field">
        <span>{{ ask.label }}</span>
        <input
          #input
          data-first
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby="name-fault"
          [attr.aria-invalid]="shownFault() ? true : null"
          [value]="name()"
          (input)="name.set(input.value)"
        />
      </label>
      <p id="name-fault" class="fault" role="status" [class.bad]="shownFault()">
        {{ shownFault() ?? ask.hint(name()) }}
      </p>
      @if (problem(); as failed) {
        <hp-error-panel [problem]="failed" [retryable]="false" />
      }
      <div class="buttons">
        <button type="button" class="button" (click)="dialog.close()" i18n>Cancel</button>
        <button type="submit" class="button primary" [disabled]="fault() !== undefined || busy()">
          @if (busy()) {
            <ng-container i18n>Working…</ng-container>
          } @else {
            {{ ask.action }}
          }
        </button>
      </div>
    </form>
  `,
  styleUrl: './dialog.css',
})
export class NameDialog implements AfterViewInit {
  protected readonly ask = inject<NameDialogData>(DIALOG_DATA);
  protected readonly dialog = inject<DialogRef<string>>(DialogRef);
  private readonly input = viewChild.required<ElementRef<HTMLInputElement>>('input');
  protected readonly name = signal(this.ask.initial);
  protected readonly busy = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);
  protected readonly fault = computed(() => (this.name() === '' ? '' : this.ask.fault(this.name())));
  /** An empty name shows no error, but cannot be submitted. */
  protected readonly shownFault = computed(() => this.fault() || undefined);

  /** Selects the name without its extension. */
  ngAfterViewInit(): void {
    const { initial } = this.ask;
    const dot = initial.lastIndexOf('.');
    this.input().nativeElement.setSelectionRange(0, dot > 0 ? dot : initial.length);
  }

  protected async confirm(event: Event): Promise<void> {
    event.preventDefault();
    if (this.fault() !== undefined || this.busy()) return;
    const name = this.name();
    this.#setBusy(true);
    try {
      await this.ask.run(name);
      this.dialog.close(name);
    } catch (error) {
      this.problem.set(asHttpProblem(error));
    } finally {
      this.#setBusy(false);
    }
  }

  /** While the dialog is busy, it cannot be closed: the running action cannot be cancelled. */
  #setBusy(isBusy: boolean): void {
    this.busy.set(isBusy);
    this.dialog.disableClose = isBusy;
  }
}
