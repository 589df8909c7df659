import { computed, effect, inject, Service, signal } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { afterSent, isQueuedEtag, type QueuedSave, queuedEtag, replaceQueued, type SaveRequest } from './queued-save';
import { SaveStore } from './save-store';
import { TabChannel } from '../client/tab-channel';

/** A queued save that has left the queue. */
export interface SettledSave {
  readonly key: string;
  /** The ETag that the queued save had. */
  readonly queued: string;
  /** The ETag of the stored file; undefined when the save became a draft. */
  readonly etag?: string;
  /** The ETag that the draft was edited from. */
  readonly base?: string;
}

/** Tells the other tabs that the queue has changed. */
interface Message {
  readonly settled?: SettledSave;
}

/** The saves of the signed-in user that wait on this device to be sent; shared by all tabs. */
@Service()
export class SaveQueue {
  readonly #store = inject(SaveStore);
  readonly #session = inject(AuthSession);
  readonly #saves = signal<readonly QueuedSave[]>([]);
  readonly #listeners = new Set<(settled: SettledSave) => void>();
  /** The saves that have left the queue while this page is open, by the ETag that they had in it. */
  readonly #settled = new Map<string, SettledSave>();
  readonly #channel = new TabChannel<Message>('homeport.saves', ({ settled }) => {
    if (settled) this.#announce(settled);
    void this.refresh();
  });

  /** All queued saves, oldest first. */
  readonly saves = this.#saves.asReadonly();
  readonly #times = computed(() => new Map(this.#saves().map(({ key, queuedAt }) => [key, queuedAt])));

  constructor() {
    effect(() => {
      this.#session.userScope();
      void this.refresh();
    });
  }

  /** When the waiting save of a file was queued; undefined without one. */
  queuedAt(key: string): number | undefined {
    return this.#times().get(key);
  }

  find(key: string): Promise<QueuedSave | undefined> {
    return this.#store.find(key);
  }

  /** What has become of a queued save, if it has left the queue while this page is open. */
  settled(queued: string | undefined): SettledSave | undefined {
    return queued === undefined ? undefined : this.#settled.get(queued);
  }

  /** Whether another tab has replaced the queued save with this ETag. */
  isReplaced(etag: string | undefined): boolean {
    if (etag === undefined || !isQueuedEtag(etag) || this.#settled.has(etag)) return false;
    return !this.#saves().some((save) => queuedEtag(save) === etag);
  }

  /**
   * Queues a save, or replaces the queued save that the text was edited from.
   * @returns `conflict` when another save of the file is queued, `not-stored` when this device cannot store it.
   */
  async add(request: SaveRequest): Promise<QueuedSave | 'conflict' | 'not-stored'> {
    const version = { revision: crypto.randomUUID(), queuedAt: Date.now() };
    let added: QueuedSave | 'conflict' = 'conflict';
    const isStored = await this.#store.change(request.key, (current) => {
      added = replaceQueued(current, request, version);
      return added === 'conflict' ? current : added;
    });
    await this.#changed();
    return isStored ? added : 'not-stored';
  }

  /** Removes a save that the server has stored; a later revision of it then replaces the stored version. */
  async markSent({ key, revision }: QueuedSave, etag: string): Promise<void> {
    const queued = queuedEtag({ revision });
    await this.#store.change(key, (current) => afterSent(current, revision, etag));
    this.#announce({ key, queued, etag });
    await this.#changed({ key, queued, etag });
  }

  /** Removes a save that has become a draft. */
  async markReturned({ key, revision, base }: QueuedSave): Promise<void> {
    const settled = { key, queued: queuedEtag({ revision }), ...(base !== undefined && { base }) };
    await this.#store.change(key, (current) => (current?.revision === revision ? undefined : current));
    this.#announce(settled);
    await this.#changed(settled);
  }

  /** Calls a listener after a save has left the queue, in any tab. @returns a function that removes the listener. */
  onSettled(listener: (settled: SettledSave) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the queue again. */
  async refresh(): Promise<void> {
    const scope = this.#session.userScope();
    const saves = scope === undefined ? [] : await this.#store.list();
    if (scope === this.#session.userScope()) this.#saves.set(saves);
  }

  #announce(settled: SettledSave): void {
    this.#settled.set(settled.queued, settled);
    for (const listener of this.#listeners) listener(settled);
  }

  async #changed(settled?: SettledSave): Promise<void> {
    this.#channel.post({ ...(settled && { settled }) });
    await this.refresh();
  }
}
