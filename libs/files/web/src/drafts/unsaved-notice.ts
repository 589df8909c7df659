import { Component, computed, effect, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Confirmations, Icon } from '@homeport/platform/web';
import { formatTimestamp } from '../offline/format-timestamp';
import { SaveQueue } from '../saves/save-queue';
import { editLink } from '../tree/file-links';
import { displayPath, nameOf } from '../tree/display-path';
import { Drafts } from './drafts';

/** Shows that a newer text of the viewed file is only on this device: an unsaved draft, or a save to be sent. */
@Component({
  selector: 'hp-unsaved-notice',
  imports: [Icon, RouterLink],
  template: `
    @if (queuedAt(); as time) {
      <div class="notice" role="status">
        <hp-icon name="offline" />
        <span i18n>Saved on this device at {{ time }}. It will be sent when the connection returns.</span>
      </div>
    }
    @if (draftAt(); as time) {
      <div class="notice" role="status">
        <hp-icon name="pencil" />
        <span i18n>You have an unsaved draft from {{ time }}.</span>
        <a class="button small" [routerLink]="link()" i18n>Continue</a>
        <button type="button" class="button small" (click)="discard()" i18n>Discard</button>
      </div>
    }
  `,
})
export class UnsavedNotice {
  readonly fileKey = input.required<string>();
  readonly #confirmations = inject(Confirmations);
  readonly #drafts = inject(Drafts);
  readonly #queue = inject(SaveQueue);
  protected readonly link = computed(() => editLink(this.fileKey()));
  protected readonly draftAt = computed(() => {
    const at = this.#drafts.writtenAt(this.fileKey());
    return at && formatTimestamp(at, new Date());
  });
  protected readonly queuedAt = computed(() => {
    const at = this.#queue.queuedAt(this.fileKey());
    return at === undefined ? undefined : formatTimestamp(new Date(at), new Date());
  });

  constructor() {
    // The times in memory may be older than the last change of the draft.
    effect(() => {
      this.fileKey();
      void this.#drafts.refresh();
    });
  }

  protected async discard(): Promise<void> {
    const key = this.fileKey();
    await this.#confirmations.ask({
      title: $localize`Discard changes to ${nameOf(displayPath(key))}:name:?`,
      text: $localize`They are on this device only and were never saved. This cannot be undone.`,
      action: $localize`Discard changes`,
      run: () => this.#drafts.dropAll(key),
    });
  }
}
