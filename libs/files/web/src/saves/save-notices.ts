import { computed, effect, inject, Service, type Signal, signal, untracked } from '@angular/core';
import { Router } from '@angular/router';
import {
  Activities,
  type Activity,
  type ActivityView,
  formatNumber,
  type HttpProblem,
  Toasts,
} from '@homeport/platform/web';
import { editLink } from '../tree/file-links';
import { displayPath, nameOf } from '../tree/display-path';
import type { QueuedSave } from './queued-save';

const MAX_NAMES = 3;

/** Shows the queued saves in the activity list, and tells the user about saves that became drafts. */
@Service()
export class SaveNotices {
  readonly #activities = inject(Activities);
  readonly #toasts = inject(Toasts);
  readonly #router = inject(Router);
  /** The names of the files that were sent since the activity was shown. */
  readonly #sent = signal<readonly string[]>([]);
  #activity: Activity | undefined;
  #isFinished = true;

  show(saves: Signal<readonly QueuedSave[]>, sending: Signal<boolean>): void {
    const view = computed(() => activityView(saves().map(fileName), this.#sent(), sending()));
    effect(() => {
      const waiting = saves().length;
      untracked(() => this.#update(waiting, view));
    });
  }

  sent(key: string): void {
    this.#sent.update((names) => [...names, nameOf(displayPath(key))]);
  }

  /** @param problem why the server refused the text; undefined when the file has changed meanwhile. */
  returned(key: string, problem: HttpProblem | undefined): void {
    const link = editLink(key);
    // The editor of this file shows the same.
    if (this.#router.url.split(/[?#]/, 1)[0] === this.#router.serializeUrl(this.#router.createUrlTree([...link])))
      return;
    const name = nameOf(displayPath(key));
    const text = problem
      ? $localize`${name}:name: could not be saved. ${problem.detail}:reason: Your text is kept as an unsaved draft.`
      : $localize`${name}:name: was changed elsewhere, so your saved text was not sent. It is kept as an unsaved draft.`;
    this.#toasts.show(text, {
      label: problem ? $localize`Open` : $localize`Compare versions`,
      run: () => void this.#router.navigate([...link]),
    });
  }

  #update(waiting: number, view: Signal<ActivityView>): void {
    if (waiting === 0) {
      this.#isFinished = true;
      // Nothing was sent: the saves became drafts, or the user has signed out.
      if (this.#sent().length === 0) this.#dismiss();
    } else if (this.#isFinished) {
      this.#isFinished = false;
      this.#dismiss();
      this.#sent.set([]);
      this.#activity = this.#activities.add(view);
    }
  }

  #dismiss(): void {
    if (this.#activity) this.#activities.dismiss(this.#activity.id);
  }
}

function activityView(waiting: readonly string[], sent: readonly string[], isSending: boolean): ActivityView {
  if (waiting.length === 0) {
    const title =
      sent.length === 1
        ? $localize`Sent ${sent[0]}:name:`
        : $localize`Sent ${formatNumber(sent.length)}:count: saved files`;
    return { title, state: 'done', announcement: title };
  }
  const title =
    waiting.length === 1
      ? $localize`${waiting[0]}:name: is saved on this device`
      : $localize`${formatNumber(waiting.length)}:count: files are saved on this device`;
  const detail = isSending ? $localize`Sending…` : $localize`Waiting to be sent when the connection returns.`;
  const shown = waiting.length === 1 ? detail : `${detail} ${namesOf(waiting)}`;
  return { title, detail: shown, state: 'waiting', announcement: `${title}. ${detail}` };
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const more = names.length - MAX_NAMES;
  return more > 0 ? $localize`${shown}:names: and ${formatNumber(more)}:count: more` : shown;
}

function fileName({ key }: QueuedSave): string {
  return nameOf(displayPath(key));
}
