import { Component, computed, inject, input } from '@angular/core';
import { Icon, type IconName } from '@homeport/platform/web';
import { SaveQueue } from '../saves/save-queue';
import { Drafts } from './drafts';

/** Marks a listed file whose newest text is only on this device. */
@Component({
  selector: 'hp-unsaved-mark',
  imports: [Icon],
  template: `
    @if (mark(); as shown) {
      <span class="mark" [title]="shown.words"
        ><hp-icon [name]="shown.icon" /><span class="words">{{ shown.words }}</span></span
      >
    }
  `,
  styles: `
    :host {
      display: contents;
    }
    .mark {
      display: inline-flex;
      flex: none;
      align-items: center;
      gap: var(--space-1);
      margin-left: var(--space-2);
      padding: 0 var(--space-2);
      border-radius: 10px;
      background: var(--surface-3);
      color: var(--muted);
      font-size: 12px;
      line-height: 20px;
      white-space: nowrap;
    }
    hp-icon {
      width: 12px;
      height: 12px;
      color: var(--warn);
    }
    @media (max-width: 639px) {
      .mark {
        margin-left: 0;
        padding: var(--space-1);
      }
      .words {
        position: absolute;
        width: 1px;
        height: 1px;
        overflow: hidden;
        clip-path: inset(50%);
      }
    }
  `,
})
export class UnsavedMark {
  readonly fileKey = input.required<string>();
  readonly #drafts = inject(Drafts);
  readonly #queue = inject(SaveQueue);
  protected readonly mark = computed((): { readonly icon: IconName; readonly words: string } | undefined => {
    if (this.#drafts.writtenAt(this.fileKey())) return { icon: 'pencil', words: $localize`Unsaved draft` };
    if (this.#queue.queuedAt(this.fileKey()) === undefined) return undefined;
    return { icon: 'clock', words: $localize`Not sent yet` };
  });
}
