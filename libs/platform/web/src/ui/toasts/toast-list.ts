import { Component, inject } from '@angular/core';
import { Icon } from '../icon/icon';
import { type Toast, type ToastEnd, Toasts } from './toasts';

/** Shows the toasts. The live region always exists: screen readers ignore one that is inserted with its text. */
@Component({
  selector: 'hp-toast-list',
  imports: [Icon],
  template: `
    <div role="status">
      @for (toast of toasts.list(); track toast.id) {
        <div class="toast">
          <span>{{ toast.text }}</span>
          @if (toast.action; as action) {
            <button type="button" class="button small" (click)="run(toast)">{{ action.label }}</button>
          }
          <button
            type="button"
            class="icon-button"
            aria-label="Close message"
            i18n-aria-label
            (click)="end(toast, 'closed')"
          >
            <hp-icon name="close" />
          </button>
        </div>
      }
    </div>
  `,
  styleUrl: './toast-list.css',
  host: {
    '(mouseenter)': 'toasts.setPaused(true)',
    '(mouseleave)': 'toasts.setPaused(false)',
    '(focusin)': 'toasts.setPaused(true)',
    '(focusout)': 'toasts.setPaused(false)',
  },
})
export class ToastList {
  protected readonly toasts = inject(Toasts);

  protected run(toast: Toast): void {
    this.toasts.runAction(toast);
    this.#resume();
  }

  protected end({ id }: Toast, how: ToastEnd): void {
    this.toasts.end(id, how);
    this.#resume();
  }

  /** The removed toast had the pointer or the focus and fires no leave event. */
  #resume(): void {
    this.toasts.setPaused(false);
  }
}
