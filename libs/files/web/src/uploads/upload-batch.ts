import { computed, signal } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { type ActivityView, fileSize, formatNumber, type HttpProblem, delay } from '@homeport/platform/web';
import { Batch, type Failure } from '../client/batch';
import { activityActions, isComplete, activityState } from '../client/batch-activity';
import { ThroughputMeter, secondsLeft } from './throughput-meter';
import { retryDelayMs } from './retry-schedule';
import type { UploadChannel } from './upload-channel';
import type { ConflictChoice, UploadItem } from './upload-plan';

const CONCURRENCY = 6;

export interface UploadBatchOptions {
  readonly items: readonly UploadItem[];
  /** The name of the directory it goes to. */
  readonly target: string;
  readonly channel: UploadChannel;
  readonly onStored: (entry: FileEntry) => void;
  /** Lines to be shown with the failures, from the beginning. */
  readonly notes: readonly string[];
  /** Asks what to do with files whose names turned out to be taken. */
  readonly ask: (taken: readonly UploadItem[]) => Promise<ConflictChoice | undefined>;
  readonly resolveConflict: (item: UploadItem, choice: ConflictChoice) => UploadItem;
}

/** Its place in the batch stays, its key may change. */
interface UploadTask {
  item: UploadItem;
}

/** Files that are uploaded together: one work, with one progress. */
export class UploadBatch {
  readonly #options: UploadBatchOptions;
  readonly #batch: Batch<UploadTask>;
  readonly #pace = new ThroughputMeter();
  readonly #asking = signal(false);
  readonly #inFlight = new Map<UploadTask, number>();
  readonly #bytes: number;
  #sent = 0;
  #resumeAt = 0;
  readonly view = computed(() => this.#view());

  constructor(options: UploadBatchOptions) {
    this.#options = options;
    this.#bytes = options.items.reduce((sum, { content }) => sum + content.size, 0);
    const items = options.items.map((item): UploadTask => ({ item }));
    this.#batch = new Batch({ items, concurrency: CONCURRENCY, run: (slot, stop) => this.#upload(slot, stop) });
  }

  async start(): Promise<void> {
    await this.#batch.start();
    await this.#resolveTakenNames();
  }

  cancel(): void {
    this.#batch.cancel();
  }

  /** How many files have yet to arrive. */
  remaining(): number {
    const { total, done, failures, state } = this.#batch.progress();
    return state === 'running' ? total - done - failures.length : 0;
  }

  async #retry(which?: (failure: Failure<UploadTask>) => boolean): Promise<void> {
    await this.#batch.retry(which);
    await this.#resolveTakenNames();
  }

  /** Names nobody knew to be taken: asked for once, when everything else has been sent. */
  async #resolveTakenNames(): Promise<void> {
    const { failures, state } = this.#batch.progress();
    const taken = failures.filter(isTaken);
    if (taken.length === 0 || state !== 'ended') return;
    this.#asking.set(true);
    const choice = await this.#options.ask(taken.map(({ item }) => item.item));
    this.#asking.set(false);
    if (choice === 'skip') this.#batch.discardFailures(isTaken);
    else if (choice) {
      for (const { item: slot } of taken) slot.item = this.#options.resolveConflict(slot.item, choice);
      await this.#retry(isTaken);
    }
  }

  async #upload(slot: UploadTask, stop: AbortSignal): Promise<void> {
    try {
      for (let attempts = 1; ; attempts += 1) {
        await this.#waitUntilAllowed(stop);
        const sending = await this.#options.channel.send(slot.item, (bytes) => this.#progress(slot, bytes), stop);
        if ('entry' in sending) {
          this.#sent += slot.item.content.size;
          this.#options.onStored(sending.entry);
          return;
        }
        this.#progress(slot, 0);
        await this.#backOff({ ...sending, attempts }, stop);
      }
    } finally {
      this.#inFlight.delete(slot);
    }
  }

  /** @throws {HttpProblem} it is no use to try again. */
  async #backOff(
    failed: { problem: HttpProblem; attempts: number; retryAfterMs: number | undefined },
    stop: AbortSignal,
  ): Promise<void> {
    if (failed.problem.kind === 'offline') return;
    const wait = retryDelayMs(failed, Math.random());
    if (wait === undefined) throw failed.problem;
    // When the server has too much to do, that holds for all of them.
    if (failed.retryAfterMs !== undefined) this.#resumeAt = Math.max(this.#resumeAt, performance.now() + wait);
    await delay(wait, stop);
  }

  async #waitUntilAllowed(stop: AbortSignal): Promise<void> {
    if (!navigator.onLine) {
      this.#pace.reset();
      this.#batch.touch();
      await online(stop);
    }
    const wait = this.#resumeAt - performance.now();
    if (wait > 0) await delay(wait, stop);
  }

  #progress(slot: UploadTask, bytes: number): void {
    this.#inFlight.set(slot, bytes);
    this.#batch.touch();
  }

  #view(): ActivityView {
    const batchProgress = this.#batch.progress();
    const { total, done, failures, state } = batchProgress;
    const words = uploadMessages(total, this.#options.target);
    const isAsking = this.#asking();
    const ways = { cancel: () => this.cancel(), retry: () => void this.#retry() };
    return {
      title: isComplete(batchProgress) ? words.done : words.running,
      detail: this.#detail(total, done, state === 'cancelled'),
      progress: this.#share(total, done),
      state: isAsking ? 'attention' : activityState(batchProgress),
      problems: [...failures.map(failureMessage), ...this.#options.notes],
      actions: isAsking ? [] : activityActions(batchProgress, ways),
    };
  }

  #share(total: number, done: number): number {
    if (total === 0) return 1;
    return this.#bytes === 0 ? done / total : Math.min(1, this.#gone() / this.#bytes);
  }

  #gone(): number {
    return [...this.#inFlight.values()].reduce((sum, bytes) => sum + bytes, this.#sent);
  }

  #detail(total: number, done: number, isCancelled: boolean): string {
    const count = $localize`${formatNumber(done)}:done: of ${formatNumber(total)}:total:`;
    if (isCancelled) return $localize`Cancelled after ${count}:count:`;
    if (this.#asking()) return $localize`Waiting for your answer`;
    if (done === total) return fileSize(this.#bytes);
    if (!navigator.onLine) return $localize`${count}:count: · paused, this device is offline`;
    const gone = this.#gone();
    this.#pace.observe(gone, performance.now());
    const speed = this.#pace.perSecond();
    const left = secondsLeft(this.#bytes - gone, speed);
    const bytes = $localize`${fileSize(gone)}:sent: of ${fileSize(this.#bytes)}:all:`;
    return [count, bytes, speed && `${fileSize(speed)}/s`, left !== undefined && timeLeft(left)]
      .filter(Boolean)
      .join(' · ');
  }
}

function isTaken({ problem }: Failure<UploadTask>): boolean {
  return problem.code === 'files.precondition-failed';
}

function uploadMessages(total: number, target: string): { running: string; done: string } {
  const count = formatNumber(total);
  return total === 1
    ? {
        running: $localize`Uploading 1 file to ${target}:directory:`,
        done: $localize`Uploaded 1 file to ${target}:directory:`,
      }
    : {
        running: $localize`Uploading ${count}:count: files to ${target}:directory:`,
        done: $localize`Uploaded ${count}:count: files to ${target}:directory:`,
      };
}

function failureMessage({ item: { item }, problem }: Failure<UploadTask>): string {
  if (problem.code === 'files.precondition-failed') return $localize`${item.path}:path: is there already.`;
  return `${item.path}: ${problem.title}. ${problem.detail}`;
}

function timeLeft(seconds: number): string {
  if (seconds < 60) return $localize`${seconds}:seconds: s left`;
  return $localize`${Math.ceil(seconds / 60)}:minutes: min left`;
}

/** Resolves when the device has a connection again, or rejects when it is stopped. */
function online(stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    addEventListener('online', () => resolve(), { once: true, signal: stop });
    stop.addEventListener('abort', () => reject(stop.reason as Error), { once: true });
  });
}
