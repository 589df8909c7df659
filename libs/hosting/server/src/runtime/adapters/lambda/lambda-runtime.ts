import type { LambdaClient } from '@aws-sdk/client-lambda';
import { isOlderVersion, type Revision, revisionKey } from '../../domain/revision';
import type { RuntimeLimits } from '../../domain/runtime-limits';
import type { BundleFolders } from '../../application/instance-launcher';
import type { RuntimeDirectory } from '../../application/runtime-directory.port';
import { RevisionNotFound, RuntimeFailed, WebSocketsUnsupported } from '../../application/runtime.errors';
import type { InstanceLine } from '../../application/runtime-pool';
import { type Exchange, type FirstRequest, type RunningRevision, Runtime } from '../../application/runtime.port';
import { ForwardFailed } from '../http/forward-request';
import { LambdaFunctions } from './lambda-functions';
import { LambdaInvocation, type LambdaReceiver } from './lambda-invocation';
import { type LambdaEvent, LambdaInvoker, VersionUnavailable } from './lambda-invoker';
import { lambdaNameOf, revisionOf } from './lambda-names';
import { LambdaPackages } from './lambda-package';
import { eventOf, responseReceiver } from './lambda-requests';
import { LambdaRevision } from './lambda-revision';

const FIRST_REQUEST: LambdaEvent = { method: 'GET', path: '/', headers: ['Host', 'localhost', 'Accept', 'text/html'] };
const NO_RESPONSE: LambdaReceiver = {
  onHead: () => undefined,
  onBody: () => Promise.resolve(),
  onEnd: () => undefined,
  onBroken: () => undefined,
};

export interface LambdaRuntimeOptions {
  /** Changes functions. */
  readonly client: LambdaClient;
  /** Invokes functions. It repeats throttled calls only. */
  readonly invoker: LambdaClient;
  /** ARN of the role of all functions, which needs no permission. */
  readonly role: string;
  readonly directory: Pick<RuntimeDirectory, 'findServer' | 'environmentOf'>;
  readonly bundles: BundleFolders;
  readonly limits: RuntimeLimits;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly onLine: (line: InstanceLine) => void;
  readonly onError: (error: unknown) => void;
}

/** Runs servers of apps as functions on AWS Lambda. */
export class LambdaRuntime extends Runtime {
  readonly #functions: LambdaFunctions;
  readonly #packages: LambdaPackages;
  readonly #invoker: LambdaInvoker;
  readonly #revisions = new Map<string, LambdaRevision>();
  /** The revision of each app that got the last request of its visitors. */
  readonly #live = new Map<string, LambdaRevision>();
  #isClosing = false;

  constructor(private readonly options: LambdaRuntimeOptions) {
    super();
    this.#functions = new LambdaFunctions(options);
    this.#packages = new LambdaPackages(options);
    this.#invoker = new LambdaInvoker(options.invoker);
  }

  override get revisions(): readonly RunningRevision[] {
    return [...this.#revisions.values()].map((each) => {
      const { appId, revision, instances, isReady, isCrashLooping, failure } = each;
      const isReplaced = this.#isReplaced(each);
      return { appId, revision, instances, isReady, isCrashLooping, failure, isReplaced };
    });
  }

  override async ready(signal: AbortSignal): Promise<void> {
    await this.#functions.ready(signal);
    // Those of deleted deploys are retired later.
    void this.#findPublished().catch(this.options.onError);
  }

  override async prepare(revision: Revision): Promise<FirstRequest> {
    const target = await this.#open(revision);
    await this.#publish(target);
    let status: number | undefined;
    // The response of a first page may be a stream without an end.
    const limits = { ...this.options.limits, responseMs: this.options.limits.firstByteMs };
    const receiver = { ...NO_RESPONSE, onHead: (received: number) => void (status = received) };
    const invocation = new LambdaInvocation({ invoker: this.#invoker, target, limits, receiver });
    try {
      await invocation.run(FIRST_REQUEST);
    } catch (error) {
      if (error instanceof RuntimeFailed && error.failure === 'start-failed') throw error;
      if (error instanceof VersionUnavailable) throw error;
      return { status, error: this.#reasonOf(error, target), log: invocation.lines };
    }
    return { status, log: invocation.lines };
  }

  /** @returns why a first request has no response. */
  #reasonOf(error: unknown, { failure }: LambdaRevision): string {
    const isTimeout = error instanceof ForwardFailed && error.failure === 'timeout';
    if (isTimeout) return `no response arrived within ${this.options.limits.firstByteMs / 1_000} s`;
    return failure === undefined ? (error as Error).message.replace(/\.$/, '') : `the server crashed: ${failure}`;
  }

  override async warm(revision: Revision): Promise<void> {
    const target = await this.#open(revision);
    await this.#publish(target);
    await this.#invocation(target, NO_RESPONSE).run({});
  }

  override async handle(revision: Revision, { request, response }: Exchange): Promise<void> {
    const event = await eventOf(request, this.options.limits);
    const left = new AbortController();
    response.once('close', () => left.abort());
    for (let isRepeated = false; ; isRepeated = true) {
      const target = await this.#acquire(revision);
      if (revision.scope === 'production') this.#live.set(target.appId, target);
      target.admit();
      try {
        return await this.#invocation(target, responseReceiver(response), left.signal).run(event);
      } catch (error) {
        if (!(error instanceof VersionUnavailable) || isRepeated) throw error;
        // It was removed outside, or is not ready yet.
        target.isPublished = false;
      }
    }
  }

  override upgrade(): Promise<void> {
    return Promise.reject(new WebSocketsUnsupported());
  }

  override async retire(revision: Revision): Promise<void> {
    const key = revisionKey(revision);
    const target = this.#revisions.get(key);
    if (!target) return;
    this.#revisions.delete(key);
    if (this.#live.get(target.appId) === target) this.#live.delete(target.appId);
    await target.publishing?.catch(() => undefined);
    await this.#functions.remove(lambdaNameOf(target.appId, revision));
  }

  override sweep(): void {
    for (const target of this.#revisions.values()) {
      target.sweep();
      const isOld = target.active === 0 && this.#newerVersion(target) !== undefined;
      if (isOld) void this.retire(target.revision).catch(this.options.onError);
    }
  }

  override close(): Promise<void> {
    this.#isClosing = true;
    this.options.client.destroy();
    this.options.invoker.destroy();
    return Promise.resolve();
  }

  #invocation(target: LambdaRevision, receiver: LambdaReceiver, left?: AbortSignal): LambdaInvocation {
    const { limits } = this.options;
    return new LambdaInvocation({ invoker: this.#invoker, target, limits, receiver, ...(left && { left }) });
  }

  /** With changed variables, the former version serves until the new one is published. */
  async #acquire(revision: Revision): Promise<LambdaRevision> {
    const known = this.#revisions.get(revisionKey(revision));
    if (known?.isPublished) return known;
    const target = known ?? (await this.#open(revision));
    const publishing = this.#publish(target);
    const older = [...this.#revisions.values()].findLast(
      (each) => each.isPublished && isOlderVersion(each.revision, target.revision),
    );
    if (!older) await publishing;
    else void publishing.catch(this.options.onError);
    return older ?? target;
  }

  /** @returns the revision with the current version of the variables, which may be newer. */
  async #open({ deployId, scope }: Revision): Promise<LambdaRevision> {
    if (this.#isClosing) throw new RuntimeFailed('start-failed', 'The runtime is stopping.');
    const server = await this.options.directory.findServer(deployId);
    if (!server) throw new RevisionNotFound(deployId);
    return this.#add(server.appId, { deployId, scope, version: server.version });
  }

  #add(appId: string, revision: Revision): LambdaRevision {
    const key = revisionKey(revision);
    const { limits, now, onLine } = this.options;
    const target =
      this.#revisions.get(key) ??
      new LambdaRevision({
        appId,
        revision,
        limits,
        now,
        onLine: (line) => onLine({ ...line, appId, deployId: revision.deployId }),
      });
    this.#revisions.set(key, target);
    return target;
  }

  #publish(target: LambdaRevision): Promise<void> {
    if (target.isPublished) return Promise.resolve();
    target.publishing ??= this.#publishNow(target).finally(() => (target.publishing = undefined));
    return target.publishing;
  }

  async #publishNow(target: LambdaRevision): Promise<void> {
    const { appId, revision } = target;
    const server = await this.options.directory.findServer(revision.deployId);
    if (!server) throw new RevisionNotFound(revision.deployId);
    await this.#functions.publish(lambdaNameOf(appId, revision), (key) => this.#packages.create(revision, server, key));
    target.isPublished = true;
  }

  async #findPublished(): Promise<void> {
    for await (const name of this.#functions.published()) {
      const found = revisionOf(name);
      if (found) this.#add(found.appId, found.revision).isPublished = true;
    }
  }

  #newerVersion({ revision }: LambdaRevision): LambdaRevision | undefined {
    return [...this.#revisions.values()].find((each) => each.isPublished && isOlderVersion(revision, each.revision));
  }

  #isReplaced(target: LambdaRevision): boolean {
    const live = this.#live.get(target.appId);
    const isFormer = target.revision.scope === 'production' && live !== undefined && live !== target;
    return isFormer || this.#newerVersion(target) !== undefined;
  }
}
