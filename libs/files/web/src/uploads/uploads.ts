import { computed, effect, inject, Service, signal, untracked } from '@angular/core';
import { filePathOf } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { asHttpProblem, HttpProblem } from '@homeport/platform/web';
import type { Subscription } from 'rxjs';
import { FileIndex } from '../client/file-index';
import { nameOf } from '../tree/file-tree';
import { UploadChannel } from './upload-channel';

/** `exists`: there is a file of that name, and the person has not said that it may go. */
export type UploadState = 'waiting' | 'sending' | 'done' | 'exists' | 'failed' | 'cancelled';

export interface Upload {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly content: File;
  readonly state: UploadState;
  /** Bytes that have left this device. */
  readonly sent: number;
  readonly problem?: HttpProblem;
}

const AT_ONCE = 3;
const ENDED: readonly UploadState[] = ['done', 'failed', 'cancelled', 'exists'];

/** The files being uploaded, three at a time. It outlives the page that started it. */
@Service()
export class Uploads {
  readonly #channel = inject(UploadChannel);
  readonly #index = inject(FileIndex);
  readonly #session = inject(AuthSession);
  readonly #list = signal<readonly Upload[]>([]);
  readonly #running = new Map<number, Subscription>();
  #lastId = 0;

  readonly list = this.#list.asReadonly();
  readonly active = computed(() => this.#list().filter(({ state }) => !ENDED.includes(state)).length);

  constructor() {
    addEventListener('beforeunload', (event) => {
      if (this.active() > 0) event.preventDefault();
    });
    effect(() => {
      if (this.#session.state() === 'signed-out') untracked(() => this.#drop());
    });
  }

  /** @param keyFor the key of a file in the workspace, by its name. */
  add(files: readonly File[], keyFor: (name: string) => string): void {
    const added = files.map((content): Upload => {
      this.#lastId += 1;
      const key = keyFor(content.name.normalize('NFC'));
      const base = { id: this.#lastId, key, name: nameOf(key), content, sent: 0 };
      const parsed = filePathOf(key.split('/'));
      return 'fault' in parsed
        ? { ...base, state: 'failed', problem: badName(parsed.fault) }
        : { ...base, state: 'waiting' };
    });
    this.#list.update((list) => [...list, ...added]);
    this.#fill();
  }

  cancel(id: number): void {
    this.#running.get(id)?.unsubscribe();
    this.#running.delete(id);
    this.#change(id, { state: 'cancelled' });
    this.#fill();
  }

  /** Sends a file again that failed or was cancelled, or one that may replace what is there. */
  again(id: number): void {
    const upload = this.#find(id);
    if (!upload) return;
    this.#start(upload, upload.state === 'exists');
  }

  /** Takes everything that has ended off the list. */
  clear(): void {
    this.#list.update((list) => list.filter(({ state }) => !ENDED.includes(state)));
  }

  #drop(): void {
    for (const running of this.#running.values()) running.unsubscribe();
    this.#running.clear();
    this.#list.set([]);
  }

  #fill(): void {
    for (const upload of this.#list()) {
      if (this.#running.size >= AT_ONCE) return;
      if (upload.state === 'waiting') this.#start(upload, false);
    }
  }

  #start({ id, key, content }: Upload, replace: boolean): void {
    this.#change(id, { state: 'sending', sent: 0, problem: undefined });
    const sending = this.#channel.send({ key, content, replace }).subscribe({
      next: (event) => {
        if ('sent' in event) this.#change(id, { sent: event.sent });
        else {
          this.#index.add(event.entry);
          this.#change(id, { state: 'done', sent: content.size });
        }
      },
      error: (error: unknown) => {
        this.#change(id, failure(asHttpProblem(error)));
        this.#end(id);
      },
      complete: () => this.#end(id),
    });
    if (!sending.closed) this.#running.set(id, sending);
  }

  #end(id: number): void {
    this.#running.delete(id);
    this.#fill();
  }

  #find(id: number): Upload | undefined {
    return this.#list().find((upload) => upload.id === id);
  }

  #change(id: number, change: Partial<Upload>): void {
    this.#list.update((list) => list.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  }
}

function failure(problem: HttpProblem): Partial<Upload> {
  return problem.code === 'files.precondition-failed' ? { state: 'exists' } : { state: 'failed', problem };
}

function badName(detail: string): HttpProblem {
  const title = 'This name cannot be stored';
  return new HttpProblem({ kind: 'refused', status: 0, title, detail, code: 'files.invalid-path' });
}
