import { computed, signal } from '@angular/core';
import type { App, Deploy, DeployDetails, DeployLimits } from '@homeport/apps/contracts';
import { retry } from '@homeport/kernel';
import {
  type ActivityView,
  type ActivityState,
  asHttpProblem,
  delay,
  pollDelayMs,
  translateServerText,
} from '@homeport/platform/web';
import type { AppsClient } from '../../client/apps-client';
import type { DeployBody, DeploysClient } from '../../client/deploys-client';
import type { SiteSource } from '../source/site-source';
import { failedDeploy, isOutcomeUnknown, isRetryable, unknownOutcome, unreadableFile } from './deploy-upload-problems';
import { isDeployInProgress } from '../deploy-messages';
import { canCancel, type DeployStage, isInProgress, progressOf, stageMessage } from './deploy-stage';
import { missingIndexMessage, ignoredFilesMessage, noteFor, sourceName } from './source-messages';

/** Attempts before giving up; they take more than a minute. */
const MAX_ATTEMPTS = 8;

export interface DeployUploadOptions {
  readonly app: Pick<App, 'id' | 'name'>;
  readonly source: SiteSource;
  /** Whether the deploy becomes live when it is ready. */
  readonly activate: boolean;
  /** The note typed by the user; may be empty. */
  readonly note: string;
  /** Undefined while they are unknown. */
  readonly limits: DeployLimits | undefined;
  readonly apps: AppsClient;
  readonly deploys: DeploysClient;
  /** The author names that the history may show for the current user. */
  readonly authors: readonly (string | undefined)[];
}

/** One deploy, from packing until it is live. It outlives the page that started it. */
export class DeployUpload {
  readonly #options: DeployUploadOptions;
  readonly #stage = signal<DeployStage>({ at: 'preparing', done: 0, total: 1 });
  /** The packed body; a retry sends it again without packing. */
  #body: DeployBody | undefined;
  #abort = new AbortController();

  /** The deploys that existed when the upload began. */
  readonly #before = signal<ReadonlySet<string> | undefined>(undefined);
  readonly stage = this.#stage.asReadonly();
  readonly name: string;
  /** Explains which picked files are not sent. */
  readonly ignoredFiles: string;
  readonly hint: string;
  readonly view = computed(() => this.#view());

  constructor(options: DeployUploadOptions) {
    this.#options = options;
    this.name = sourceName(options.source);
    this.ignoredFiles = ignoredFilesMessage(options.source);
    this.hint = missingIndexMessage(options.source);
  }

  /** Starts or restarts the upload. Never rejects: the outcome is the stage. */
  async start(): Promise<void> {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      this.#body ??= await this.#pack(signal);
      const deploy = await this.#send(this.#body, signal);
      this.#stage.set({ at: 'processing' });
      this.#stage.set(await this.#outcome(deploy, signal));
    } catch (error) {
      this.#stage.set(signal.aborted ? { at: 'cancelled' } : { at: 'failed', problem: asHttpProblem(error) });
    }
  }

  /** Whether a deploy in progress is the one that this upload shows already. */
  shows(deploy: Deploy): boolean {
    const before = this.#before();
    return before !== undefined && isInProgress(this.#stage()) && isFrom(this.#options.authors, before, deploy);
  }

  /** Cancels the upload if that is still possible. */
  cancel(): void {
    if (canCancel(this.#stage())) this.#abort.abort();
  }

  /** Stops the upload on this device because the user has signed out. */
  abort(): void {
    this.#abort.abort();
  }

  async #pack(signal: AbortSignal): Promise<DeployBody> {
    const { source, activate, note, limits } = this.#options;
    const options = { activate, message: noteFor(source, note) };
    if (source.kind === 'archive') return { bytes: source.file, type: source.type, ...options };
    const total = source.files.length;
    this.#stage.set({ at: 'preparing', done: 0, total });
    const { siteArchive } = await import('./site-archive');
    const packed = (done: number): void => this.#stage.set({ at: 'preparing', done, total });
    const mostBytes = limits?.archive_bytes ?? Infinity;
    const bytes = await siteArchive(source.files, { packed, mostBytes, signal });
    return { bytes, type: 'application/zip', ...options };
  }

  async #send(body: DeployBody, signal: AbortSignal): Promise<Deploy> {
    const { app, deploys } = this.#options;
    const total = body.bytes.size;
    this.#stage.set({ at: 'uploading', sent: 0, total });
    const before = new Set((await deploys.list(app.id, null, signal)).items.map(({ id }) => id));
    this.#before.set(before);
    const sent = (bytes: number): void =>
      this.#stage.set(bytes < total ? { at: 'uploading', sent: bytes, total } : { at: 'processing' });
    try {
      return await deploys.send(app.id, body, { sent, signal });
    } catch (error) {
      signal.throwIfAborted();
      const isAllSent = this.#stage().at === 'processing';
      if (isAllSent && isOutcomeUnknown(asHttpProblem(error)))
        return (await this.#findInHistory(before, signal)) ?? Promise.reject(error);
      await assertReadable(body.bytes);
      throw error;
    }
  }

  /** Finds the deploy in the history after its response was lost; undefined when it did not arrive. */
  async #findInHistory(before: ReadonlySet<string>, signal: AbortSignal): Promise<Deploy | undefined> {
    const { app, deploys, authors } = this.#options;
    this.#stage.set({ at: 'verifying' });
    const { items } = await askWithRetry(() => deploys.list(app.id, null, signal), signal);
    return items.find((deploy) => isFrom(authors, before, deploy));
  }

  /** Polls until the server has processed the deploy. */
  async #outcome({ id }: Deploy, signal: AbortSignal): Promise<DeployStage> {
    const { app, apps, deploys } = this.#options;
    const read = (): Promise<DeployDetails> => askWithRetry(() => deploys.get(id, signal), signal);
    let deploy = await read();
    for (let reads = 0; isDeployInProgress(deploy); reads += 1) {
      await delay(pollDelayMs(reads), signal);
      deploy = await read();
    }
    if (deploy.status === 'failed') return { at: 'failed', problem: failedDeploy(deploy) };
    return { at: 'done', deploy, app: await askWithRetry(() => apps.get(app.id, signal), signal) };
  }

  #view(): ActivityView {
    const stage = this.#stage();
    const { title, detail } = stageMessage(stage);
    const { name } = this.#options.app;
    return {
      title: isInProgress(stage) ? $localize`Deploying ${name}:app:` : $localize`Deploy of ${name}:app:`,
      detail: `${title} ${detail}`,
      progress: progressOf(stage),
      state: activityState(stage),
      actions: this.#actions(stage),
      problems:
        stage.at === 'failed'
          ? stage.problem.errors.map(({ field, reason }) => `${field}: ${translateServerText(reason)}`)
          : [],
    };
  }

  #actions(stage: DeployStage): ActivityView['actions'] {
    if (canCancel(stage)) return [{ label: $localize`Cancel`, run: () => this.cancel() }];
    const canRetry = stage.at === 'failed' && isRetryable(stage.problem);
    return canRetry ? [{ label: $localize`Retry`, run: () => void this.start() }] : [];
  }
}

/** Whether a deploy began after the listed ones and is of the current user. */
function isFrom(
  authors: DeployUploadOptions['authors'],
  before: ReadonlySet<string>,
  { id, created_by: author }: Deploy,
): boolean {
  return !before.has(id) && authors.includes(author);
}

/**
 * Retries with growing delays while the server is unreachable.
 * @throws {HttpProblem} `unknownOutcome` when it stays unreachable.
 */
async function askWithRetry<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await retry(ask, {
      attempts: MAX_ATTEMPTS,
      isRetryable: (error) => !signal.aborted && isOutcomeUnknown(asHttpProblem(error)),
      delayMs: (failures) => pollDelayMs(failures - 1),
      wait: (ms) => delay(ms, signal),
    });
  } catch (error) {
    signal.throwIfAborted();
    const problem = asHttpProblem(error);
    throw isOutcomeUnknown(problem) ? unknownOutcome() : problem;
  }
}

function activityState(stage: DeployStage): ActivityState {
  if (isInProgress(stage)) return 'running';
  return stage.at === 'failed' ? 'failed' : stage.at === 'cancelled' ? 'cancelled' : 'done';
}

/** A deleted file fails with the same error as a lost connection. @throws {HttpProblem} */
async function assertReadable(bytes: Blob): Promise<void> {
  try {
    await bytes.slice(0, 1).arrayBuffer();
  } catch {
    throw unreadableFile(bytes instanceof File ? bytes.name : '');
  }
}
