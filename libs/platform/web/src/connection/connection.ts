import { computed, DestroyRef, DOCUMENT, inject, Service, signal } from '@angular/core';
import { pollDelayMs } from '../data/poll-delay';
import type { FailureKind } from '../http/http-problem';

export type ConnectionState = 'connected' | 'offline' | 'unreachable';

/** Answers as long as the server runs, whoever asks. */
const PROBE_PATH = '/health/live';

/** Whether this device has a connection, and whether the server answers over it. */
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
    const look = (): void => this.#isOnline.set(this.#window?.navigator.onLine ?? true);
    for (const event of ['online', 'offline']) this.#window?.addEventListener(event, look);
    inject(DestroyRef).onDestroy(() => {
      clearTimeout(this.#timer);
      for (const event of ['online', 'offline']) this.#window?.removeEventListener(event, look);
    });
  }

  /** Something answered, whatever it said. */
  recordResponse(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#probes = 0;
    this.#isReachable.set(true);
  }

  /** A call failed. When nothing answered, the server is asked until it does. */
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
      // The service worker answers for a server that does not: past it.
      await fetch(PROBE_PATH, { cache: 'no-store', headers: { 'ngsw-bypass': '' } });
      this.recordResponse();
    } catch {
      this.recordFailure('unreachable');
    }
  }
}
