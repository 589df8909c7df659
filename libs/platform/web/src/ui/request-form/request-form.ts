import { DialogRef } from '@angular/cdk/dialog';
import { afterNextRender, Component, ElementRef, inject, Injector, input, signal } from '@angular/core';
import { asHttpProblem, type HttpProblem } from '../../http/http-problem';
import { ErrorPanel } from '../error-panel/error-panel';

/**
 * A form that sends a request, in a dialog or a card: its heading, the problem of the last attempt and its buttons. The
 * content are the fields, and another button with `formButton`. Locks its dialog while it sends: closing would not stop
 * the request.
 */
@Component({
  selector: 'hp-request-form',
  imports: [ErrorPanel],
  template: `
    <form class="dialog-form" novalidate [attr.aria-labelledby]="dialog ? null : headingId()" (submit)="submit($event)">
      <h2 [id]="headingId()">{{ heading() }}</h2>
      @if (note(); as text) {
        <p>{{ text }}</p>
      }
      <ng-content />
      @if (problem(); as failed) {
        <hp-error-panel [title]="failureTitle()" [problem]="failed" [busy]="busy()" (retry)="submit()" />
      }
      <div class="buttons">
        <ng-content select="[formButton]" />
        @if (dialog) {
          <button type="button" class="button" [attr.aria-disabled]="busy() ? true : null" (click)="cancel()" i18n>
            Cancel
          </button>
        }
        <button type="submit" class="button primary" [attr.aria-disabled]="busy() ? true : null">
          {{ busy() ? busyAction() : action() }}
        </button>
      </div>
    </form>
  `,
})
export class RequestForm {
  readonly headingId = input.required<string>();
  readonly heading = input.required<string>();
  readonly note = input<string>();
  readonly action = input.required<string>();
  /** Replaces `action` while the form sends. */
  readonly busyAction = input.required<string>();
  readonly failureTitle = input.required<string>();
  /** Whether the fields can be sent. */
  readonly isValid = input.required<boolean>();
  /**
   * Sends the fields.
   * @returns false when the server refused fields, which now show why.
   * @throws {HttpProblem} the request failed.
   */
  readonly send = input.required<() => Promise<boolean>>();
  /** Whether the fields show their faults. */
  readonly submitted = signal(false);

  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #injector = inject(Injector);
  protected readonly dialog = inject(DialogRef, { optional: true });
  protected readonly busy = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);

  protected cancel(): void {
    if (!this.busy()) this.dialog?.close();
  }

  protected async submit(event?: Event): Promise<void> {
    event?.preventDefault();
    if (this.busy()) return;
    this.submitted.set(true);
    this.problem.set(undefined);
    if (!this.isValid()) return this.#focusFault();
    this.#setBusy(true);
    try {
      if (await this.send()()) this.submitted.set(false);
      else this.#focusFault();
    } catch (error) {
      this.problem.set(asHttpProblem(error));
    } finally {
      this.#setBusy(false);
    }
  }

  #setBusy(busy: boolean): void {
    this.busy.set(busy);
    if (this.dialog) this.dialog.disableClose = busy;
  }

  #focusFault(): void {
    const focus = (): void => this.#host.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    afterNextRender(focus, { injector: this.#injector });
  }
}
