import { computed, effect, inject, Service, signal, untracked } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { Connection, pollDelayMs } from '@homeport/platform/web';
import { acquireLock } from '../client/acquire-lock';
import { FilesClient } from '../client/files-client';
import { Drafts } from '../drafts/drafts';
import { readEditableFile } from '../editor/editable-file';
import { type Delivery, type DeliveryTarget, deliverSave } from './deliver-save';
import { beforeSending, type QueuedSave, queuedEtag } from './queued-save';
import { SaveNotices } from './save-notices';
import { SaveQueue } from './save-queue';
import { SaveStore } from './save-store';
import { TextWriter } from './text-writer';

/**
 * Sends the queued saves as soon as the server is reachable and the user is signed in. Only one tab sends at a time. A
 * save that the server rejects becomes a draft, so that its text is not lost.
 */
@Service()
export class SaveSender {
  readonly #session = inject(AuthSession);
  readonly #connection = inject(Connection);
  readonly #store = inject(SaveStore);
  readonly #queue = inject(SaveQueue);
  readonly #drafts = inject(Drafts);
  readonly #notices = inject(SaveNotices);
  readonly #sending = signal(false);
  readonly #target = deliveryTarget();
  #running: Promise<void> | undefined;
  #isRequestedAgain = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retries = 0;

  constructor() {
    // A boolean: every attempt reads the queue again, which must not start another attempt.
    const isWanted = computed(() => this.#isReady() && this.#queue.saves().length > 0);
    effect(() => {
      if (isWanted()) untracked(() => void this.flush());
      else this.#cancelRetry();
    });
    this.#notices.show(this.#queue.saves, this.#sending);
  }

  /** Sends all queued saves; resolves when they are sent or cannot be sent now. Never rejects. */
  flush(): Promise<void> {
    this.#isRequestedAgain = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  #isReady(): boolean {
    return this.#session.state() === 'signed-in' && this.#connection.state() === 'connected';
  }

  async #run(): Promise<void> {
    while (this.#isRequestedAgain && this.#isReady()) {
      this.#isRequestedAgain = false;
      const release = await acquireLock('saves');
      // Another tab is sending. It may stop before it finds the newest save.
      if (!release) return this.#retryLater();
      this.#sending.set(true);
      try {
        await this.#sendAll();
      } finally {
        release();
        this.#sending.set(false);
        await this.#queue.refresh();
      }
    }
  }

  async #sendAll(): Promise<void> {
    const tried = new Set<string>();
    for (;;) {
      const save = (await this.#store.list()).find(({ revision }) => !tried.has(revision));
      if (!save) return;
      tried.add(save.revision);
      await this.#store.change(save.key, (current) => current && beforeSending(current));
      if (!(await this.#settle(save, await deliverSave(save, this.#target)))) return;
    }
  }

  /** @returns whether to continue with the next save. */
  async #settle(save: QueuedSave, delivery: Delivery): Promise<boolean> {
    if (delivery.kind === 'later') {
      // After a 401 the user signs in again, which starts the app anew.
      if (delivery.problem.status !== 401) this.#retryLater();
      return false;
    }
    this.#retries = 0;
    if (delivery.kind === 'sent') {
      await this.#drafts.rebase(save.key, queuedEtag(save), delivery.etag);
      this.#notices.sent(save.key);
      await this.#queue.markSent(save, delivery.etag);
      return true;
    }
    // A later revision has replaced the text; it is sent next.
    if ((await this.#store.find(save.key))?.revision !== save.revision) return true;
    await this.#drafts.rebase(save.key, queuedEtag(save), save.base);
    // Stays in the queue when this device cannot store the draft.
    if (!(await this.#drafts.save(draftOf(save)))) return true;
    await this.#queue.markReturned(save);
    this.#notices.returned(save.key, delivery.kind === 'refused' ? delivery.problem : undefined);
    return true;
  }

  #retryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#retries += 1;
      void this.flush();
    }, pollDelayMs(this.#retries));
  }

  #cancelRetry(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }
}

function deliveryTarget(): DeliveryTarget {
  const [writer, client] = [inject(TextWriter), inject(FilesClient)];
  return {
    put: ({ key, text, encoding, marked, contentType }, condition) =>
      writer.write(key, { exact: text, encoding, marked }, { condition, contentType }),
    read: async (key) => {
      const file = await readEditableFile(client, key);
      return typeof file === 'string' ? undefined : { exact: file.text.exact, etag: file.etag };
    },
  };
}

/** Has the id of the revision: a repeated attempt replaces the same draft. */
function draftOf({ revision, key, text, encoding, marked, base, queuedAt }: QueuedSave): Parameters<Drafts['save']>[0] {
  const draft = { id: revision, key, text, encoding, marked, writtenAt: queuedAt };
  return base === undefined ? draft : { ...draft, base };
}
