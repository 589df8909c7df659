import type { RuntimeLimits } from '../../domain/runtime-limits';
import { RuntimeFailed } from '../../application/runtime.errors';
import { describeExit } from '../../application/sandbox.errors';
import { ForwardFailed } from '../http/forward-request';
import type { LambdaFrame } from './lambda-frames';
import { FunctionFailed, type LambdaEvent, type LambdaInvoker } from './lambda-invoker';
import { lambdaNameOf } from './lambda-names';
import type { LambdaInstance, LambdaRevision } from './lambda-revision';

/** Until a new copy of a function runs the guest, besides the start of the server. */
const COLD_START_MS = 10_000;

/** Receives the response of an app. */
export interface LambdaReceiver {
  /** @param headers alternating names and values. */
  onHead(status: number, headers: readonly string[]): void;
  /** Resolves when more may follow. */
  onBody(chunk: Buffer, signal: AbortSignal): Promise<void>;
  /** The response is complete. */
  onEnd(): void;
  /** The response breaks off after its head. */
  onBroken(): void;
}

export interface LambdaInvocationOptions {
  readonly invoker: LambdaInvoker;
  readonly target: LambdaRevision;
  readonly limits: RuntimeLimits;
  readonly receiver: LambdaReceiver;
  /** Aborts when the visitor leaves. */
  readonly left?: AbortSignal;
}

/** One request to a function, from its start to the end of the response. */
export class LambdaInvocation {
  readonly #controller = new AbortController();
  readonly #lines: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #instance: LambdaInstance | undefined;
  #hasHead = false;
  #isOver = false;
  #isLate = false;

  constructor(private readonly options: LambdaInvocationOptions) {}

  /** The lines of the log that came with the response. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /**
   * Resolves when the response has ended or breaks off, or the visitor has left.
   * @throws {RuntimeFailed} @throws {ForwardFailed} @throws {VersionUnavailable} before the head of a response.
   */
  async run(event: LambdaEvent): Promise<void> {
    const { invoker, target, limits, receiver, left } = this.options;
    const leave = () => this.#controller.abort();
    left?.addEventListener('abort', leave);
    target.active += 1;
    this.#limit(COLD_START_MS + limits.startMs);
    try {
      const name = lambdaNameOf(target.appId, target.revision);
      for await (const frame of invoker.invoke(name, event, this.#controller.signal)) await this.#receive(frame);
      if (!this.#isOver) throw new ForwardFailed('disconnected');
      receiver.onEnd();
    } catch (error) {
      if (left?.aborted) return;
      const failure = this.#failureOf(error);
      if (!this.#hasHead) throw failure;
      receiver.onBroken();
    } finally {
      clearTimeout(this.#timer);
      left?.removeEventListener('abort', leave);
      target.active -= 1;
      if (this.#instance) target.released(this.#instance);
    }
  }

  async #receive(frame: LambdaFrame): Promise<void> {
    const { target, limits, receiver } = this.options;
    if (frame.type === 'instance') return void (this.#instance = target.answering(frame.id, frame.startedOn));
    const instance = this.#instance;
    if (!instance) throw new Error('The function does not say which copy of it answers.');
    if (frame.type === 'line') {
      this.#lines.push(frame.line);
      target.log(instance, frame);
    } else if (frame.type === 'exited') target.crashed(instance, describeExit({ ...frame, isOutOfMemory: false }));
    else if (frame.type === 'started') {
      target.started(instance, frame.requests);
      this.#limit(limits.firstByteMs);
    } else if (frame.type === 'head') {
      this.#hasHead = true;
      this.#limit(limits.responseMs);
      receiver.onHead(frame.status, frame.headers);
    } else if (frame.type === 'body') await receiver.onBody(frame.chunk, this.#controller.signal);
    else if (frame.type === 'failed') throw this.#failed(instance, frame);
    else {
      instance.memoryBytes = frame.memoryBytes;
      this.#isOver = true;
    }
  }

  #failed(instance: LambdaInstance, frame: LambdaFrame & { readonly type: 'failed' }): Error {
    if (frame.failure === 'start-failed') return this.options.target.startFailed(instance, frame.exit);
    return new RuntimeFailed(frame.failure, `The app did not answer: ${frame.reason}.`);
  }

  #limit(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#controller.abort();
    }, ms);
  }

  #failureOf(error: unknown): unknown {
    if (this.#isLate) return new ForwardFailed('timeout', { cause: error });
    if (!(error instanceof FunctionFailed)) return error;
    if (this.#instance) this.options.target.crashed(this.#instance, error.message);
    const isTimeout = /timed?\s?out/i.test(error.message);
    return new RuntimeFailed(isTimeout ? 'timeout' : 'runtime-crashed', error.message);
  }
}
