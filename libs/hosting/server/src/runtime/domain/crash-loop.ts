import { backoffMs } from '@homeport/kernel';

const CRASHES = 3;
const WINDOW_MS = 60_000;
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 };
/** An instance that lived this long started well: earlier crashes do not count any more. */
const STABLE_MS = 60_000;

/** Delays the start of instances when three of them crashed within a minute. */
export class CrashLoop {
  /** Times of the last crashes. */
  #crashes: number[] = [];
  #failures = 0;
  #retryAt = 0;

  constructor(private readonly now: () => number) {}

  /** @param livedMs time between the start and the crash. */
  crashed(livedMs: number): void {
    const now = this.now();
    if (livedMs >= STABLE_MS) this.#reset();
    this.#crashes = [...this.#crashes.slice(1 - CRASHES), now];
    const [first = now] = this.#crashes;
    const isLoop = this.#crashes.length === CRASHES && now - first <= WINDOW_MS;
    // While the delay grows beyond the window, the loop continues.
    if (!isLoop && this.#failures === 0) return;
    this.#failures += 1;
    this.#retryAt = now + backoffMs(this.#failures, BACKOFF);
  }

  /** An instance has lived long enough. */
  survived(livedMs: number): void {
    if (livedMs >= STABLE_MS) this.#reset();
  }

  /** Whether the revision is in a crash loop. */
  get isLooping(): boolean {
    return this.#failures > 0;
  }

  /** Whether a further crash may begin a crash loop, or continue it. */
  get isCounting(): boolean {
    const last = this.#crashes.at(-1);
    return this.isLooping || (last !== undefined && this.now() - last <= WINDOW_MS);
  }

  /** Milliseconds until an instance may start; 0 when one may start now. */
  get delayMs(): number {
    return Math.max(0, this.#retryAt - this.now());
  }

  #reset(): void {
    this.#crashes = [];
    this.#failures = 0;
    this.#retryAt = 0;
  }
}
