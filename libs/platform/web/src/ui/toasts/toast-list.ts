import { Component, inject } from '@angular/core';
import { Icon } from '../icon/icon';
import { Toasts, type Toast } from './toasts';

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
          <button type="button" class="icon-button" aria-label="Close message" (click)="toasts.close(toast.id)">
            <hp-icon name="close" />
          </button>
        </div>
      }
    </div>
  `,
  styleUrl: './toast-list.css',
})
export class ToastList {
  protected readonly toasts = inject(Toasts);

  protected run(toast: Toast): void {
    this.toasts.close(toast.id);
    toast.action?.run();
  }
}
