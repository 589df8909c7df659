import { computed, signal } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import {
  type ActivityState,
  type ActivityView,
  fileSize,
  formatNumber,
  type HttpProblem,
  delay,
} from '@homeport/platform/web';
import { Batch, type BatchProgress, type Failure } from '../client/batch';
import { activityActions, isComplete, activityState } from '../client/batch-activity';
import { ThroughputMeter, secondsLeft } from './throughput-meter';
import { retryDelayMs } from './retry-schedule';
import type { UploadChannel } from './upload-channel';
import { notUploadedMessage, uploadMessages } from './upload-messages';
import type { ConflictChoice, UploadItem } from './upload-plan';

const CONCURRENCY = 6;

export interface UploadBatchOptions {
  readonly items: readonly UploadItem[];
  /** The name of the target directory. */
  readonly target: string;
  readonly channel: UploadChannel;
  readonly onStored: (entry: FileEntry) => void;
  /** The number of picked files that cannot be stored; `notes` says why. */
  readonly refused: number;
  /** Called with a message when all files were uploaded. */
  readonly onDone: (message: string) => void;
  /** Called with a message when the batch has ended and files were not uploaded. */
  readonly onFailed: (message: string) => void;
  /** Messages to show together with the failures. */
  readonly notes: readonly string[];
  /** Asks what to do with files whose names were found to be in use during the upload. */
  readonly ask: (taken: readonly UploadItem[]) => Promise<ConflictChoice | undefined>;
  readonly resolveConflict: (item: UploadItem, choice: ConflictChoice) => UploadItem;
}

/** One file of the batch. Resolving a conflict may replace the item with one that has another key. */
interface UploadTask {
  item: UploadItem;
}

/** Files that are uploaded together, with one shared progress. */
export class UploadBatch {
  readonly #options: UploadBatchOptions;
  readonly #batch: Batch<UploadTask>;
  readonly #throughput = new ThroughputMeter();
  readonly #asking = signal(false);
  readonly #inFlight = new Map<UploadTask, number>();
  readonly #bytes: number;
  #sent = 0;
  #resumeAt = 0;
  /** The number of files that wait for their next attempt. */
  #retrying = 0;
  readonly view = computed(() => this.#view());

  constructor(options: UploadBatchOptions) {
    this.#options = options;
    this.#bytes = options.items.reduce((sum, { content }) => sum + content.size, 0);
    const items = options.items.map((item): UploadTask => ({ item }));
    this.#batch = new Batch({ items, concurrency: CONCURRENCY, run: (task, signal) => this.#upload(task, signal) });
  }

  async start(): Promise<void> {
    await this.#batch.start();
    await this.#finish();
  }

  cancel(): void {
    this.#batch.cancel();
  }

  /** The number of files that are not uploaded yet. */
  remaining(): number {
    const { total, done, failures, state } = this.#batch.progress();
    return state === 'running' ? total - done - failures.length : 0;
  }

  async #retry(which?: (failure: Failure<UploadTask>) => boolean): Promise<void> {
    await this.#batch.retry(which);
    await this.#finish();
  }

  async #finish(): Promise<void> {
    if (await this.#resolveTakenNames()) return;
    if (this.#batch.progress().state !== 'ended') return;
    const { target, onDone, onFailed } = this.#options;
    const counts = this.#counts();
    if (counts.failed > 0) onFailed(notUploadedMessage(counts.failed, counts.total, target));
    else if (counts.done > 0) onDone(uploadMessages(counts, target).done);
  }

  /** The numbers of files, including those that cannot be stored. */
  #counts(): { readonly total: number; readonly done: number; readonly failed: number } {
    const { total, done, failures } = this.#batch.progress();
    const { refused } = this.#options;
    return { total: total + refused, done, failed: failures.length + refused };
  }

  /**
   * Asks once about names that the server reported as in use, after all other files were sent.
   * @returns whether files were sent again.
   */
  async #resolveTakenNames(): Promise<boolean> {
    const { failures, state } = this.#batch.progress();
    const taken = failures.filter(isTaken);
    if (taken.length === 0 || state !== 'ended') return false;
    this.#asking.set(true);
    const choice = await this.#options.ask(taken.map(({ item }) => item.item));
    this.#asking.set(false);
    if (choice === 'skip') this.#batch.discardFailures(isTaken);
    if (choice === undefined || choice === 'skip') return false;
    for (const { item: task } of taken) task.item = this.#options.resolveConflict(task.item, choice);
    await this.#retry(isTaken);
    return true;
  }

  /** Does not use `retry`: a failed attempt is a result here, and its delay may apply to the whole batch. */
  async #upload(task: UploadTask, signal: AbortSignal): Promise<void> {
    try {
      for (let attempts = 1; ; attempts += 1) {
        await this.#waitUntilAllowed(signal);
        const sending = await this.#options.channel.send(task.item, (bytes) => this.#progress(task, bytes), signal);
        if ('entry' in sending) {
          this.#sent += task.item.content.size;
          this.#options.onStored(sending.entry);
          return;
        }
        this.#progress(task, 0);
        await this.#backOff({ ...sending, attempts }, signal);
      }
    } finally {
      this.#inFlight.delete(task);
    }
  }

  /** Waits before the next attempt. @throws {HttpProblem} a retry cannot succeed. */
  async #backOff(
    failed: { problem: HttpProblem; attempts: number; retryAfterMs: number | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    if (failed.problem.kind === 'offline') return;
    const wait = retryDelayMs(failed, Math.random());
    if (wait === undefined) throw failed.problem;
    // A Retry-After applies to all uploads of the batch.
    if (failed.retryAfterMs !== undefined) this.#resumeAt = Math.max(this.#resumeAt, performance.now() + wait);
    this.#retrying += 1;
    this.#batch.touch();
    try {
      await delay(wait, signal);
    } finally {
      this.#retrying -= 1;
    }
  }

  /** Whether no file is being sent, because the device is offline or the server does not accept them. */
  #isWaiting(): boolean {
    return !navigator.onLine || (this.#retrying > 0 && this.#retrying === this.#inFlight.size);
  }

  async #waitUntilAllowed(signal: AbortSignal): Promise<void> {
    if (!navigator.onLine) {
      this.#throughput.reset();
      this.#batch.touch();
      await online(signal);
    }
    const wait = this.#resumeAt - performance.now();
    if (wait > 0) await delay(wait, signal);
  }

  #progress(task: UploadTask, bytes: number): void {
    this.#inFlight.set(task, bytes);
    this.#batch.touch();
  }

  #view(): ActivityView {
    const batchProgress = this.#batch.progress();
    const { failures, state } = batchProgress;
    const counts = this.#counts();
    const words = uploadMessages(counts, this.#options.target);
    const isAsking = this.#asking();
    const isFailed = state === 'ended' && counts.failed > 0;
    const isDone = isComplete(batchProgress) && !isFailed;
    const handlers = { cancel: () => this.cancel(), retry: () => void this.#retry() };
    return {
      title: isDone ? words.done : isFailed ? words.partlyDone : words.running,
      detail: this.#detail(state === 'cancelled'),
      progress: this.#progressFraction(),
      state: isAsking ? 'attention' : isFailed ? 'failed' : this.#activityState(batchProgress),
      // The message of `onDone` or `onFailed` is announced instead.
      ...((isDone || isFailed) && !isAsking && { announcement: '' }),
      problems: [...failures.map(failureMessage), ...this.#options.notes],
      actions: isAsking ? [] : activityActions(batchProgress, handlers),
    };
  }

  #activityState(progress: BatchProgress<UploadTask>): ActivityState {
    const state = activityState(progress);
    return state === 'running' && this.#isWaiting() ? 'waiting' : state;
  }

  #progressFraction(): number {
    const { total, done } = this.#batch.progress();
    if (total === 0) return 1;
    return this.#bytes === 0 ? done / total : Math.min(1, this.#sentBytes() / this.#bytes);
  }

  #sentBytes(): number {
    return [...this.#inFlight.values()].reduce((sum, bytes) => sum + bytes, this.#sent);
  }

  #detail(isCancelled: boolean): string {
    const { total, done } = this.#batch.progress();
    const count = $localize`${formatNumber(done)}:done: of ${formatNumber(total)}:total:`;
    if (isCancelled) return $localize`Cancelled after ${count}:count:`;
    if (this.#asking()) return $localize`Waiting for your answer`;
    if (done === total) return fileSize(this.#bytes);
    if (!navigator.onLine) return $localize`${count}:count: · paused, this device is offline`;
    if (this.#isWaiting()) return $localize`${count}:count: · waiting for the server`;
    const sentBytes = this.#sentBytes();
    this.#throughput.observe(sentBytes, performance.now());
    const speed = this.#throughput.perSecond();
    const left = secondsLeft(this.#bytes - sentBytes, speed);
    const bytes = $localize`${fileSize(sentBytes)}:sent: of ${fileSize(this.#bytes)}:all:`;
    return [count, bytes, speed && `${fileSize(speed)}/s`, left !== undefined && timeLeft(left)]
      .filter(Boolean)
      .join(' · ');
  }
}

function isTaken({ problem }: Failure<UploadTask>): boolean {
  return problem.code === 'files.precondition-failed';
}

function failureMessage({ item: { item }, problem }: Failure<UploadTask>): string {
  if (problem.code === 'files.precondition-failed') return $localize`${item.path}:path: already exists.`;
  return `${item.path}: ${problem.title}. ${problem.detail}`;
}

function timeLeft(seconds: number): string {
  if (seconds < 60) return $localize`${seconds}:seconds: s left`;
  return $localize`${Math.ceil(seconds / 60)}:minutes: min left`;
}

/** Resolves when the device is online again; rejects when it is aborted. */
function online(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
