import { computed, DestroyRef, DOCUMENT, inject, Service, signal } from '@angular/core';
import { pollDelayMs } from '../data/poll-delay';
import type { FailureKind } from '../http/http-problem';

export type ConnectionState = 'connected' | 'offline' | 'unreachable';

/** The liveness endpoint, which needs no session. */
const PROBE_PATH = '/health/live';

/** Whether this device is online, and whether the server is reachable. */
@Service()
export class Connection {
  readonly #window = inject(DOCUMENT).defaultView;
  readonly #isOnline = signal(this.#window?.navigator.onLine ?? true);
  readonly #isReachable = signal(true);
  #probes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly state = computed<ConnectionState>(() => {
    if (!this.#isOnline()) return 'offline';
    return this.#isReachable() ? 'connected' : 'unreachable';
  });

  constructor() {
    const update = (): void => this.#isOnline.set(this.#window?.navigator.onLine ?? true);
    for (const event of ['online', 'offline']) this.#window?.addEventListener(event, update);
    inject(DestroyRef).onDestroy(() => {
      clearTimeout(this.#timer);
      for (const event of ['online', 'offline']) this.#window?.removeEventListener(event, update);
    });
  }

  /** Records that the server responded, with any status. */
  recordResponse(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#probes = 0;
    this.#isReachable.set(true);
  }

  /** Records a failed call; while the server is unreachable, it is probed until it responds. */
  recordFailure(kind: FailureKind): void {
    if (kind === 'refused' || kind === 'unexpected') this.recordResponse();
    if (kind !== 'unreachable') return;
    this.#isReachable.set(false);
    this.#timer ??= setTimeout(() => void this.#probe(), pollDelayMs(this.#probes));
  }

  async #probe(): Promise<void> {
    this.#probes += 1;
    this.#timer = undefined;
    try {
      // `ngsw-bypass`: the service worker would respond in place of an unreachable server.
      await fetch(PROBE_PATH, { cache: 'no-store', headers: { 'ngsw-bypass': '' } });
      this.recordResponse();
    } catch {
      this.recordFailure('unreachable');
    }
  }
}
