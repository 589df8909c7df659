import { Component, inject } from '@angular/core';
import { Icon } from '../icon/icon';
import { type Toast, type ToastEnd, Toasts } from './toasts';

/** Where toasts appear. The live region is always there: one that arrives together with its text is not read out. */
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
    this.end(toast, 'action');
    toast.action?.run();
  }

  protected end({ id }: Toast, how: ToastEnd): void {
    this.toasts.end(id, how);
    // What had the pointer or the focus is gone, and will not say that it left.
    this.toasts.setPaused(false);
  }
}
