import {
  InvokeWithResponseStreamCommand,
  type InvokeWithResponseStreamResponseEvent,
  type LambdaClient,
  RequestTooLargeException,
  ResourceConflictException,
  ResourceNotFoundException,
  ResourceNotReadyException,
  TooManyRequestsException,
} from '@aws-sdk/client-lambda';
import { RuntimeFailed } from '../../application/runtime.errors';
import { ForwardFailed } from '../http/forward-request';
import { type LambdaFrame, readFrames } from './lambda-frames';
import type { LambdaName } from './lambda-names';

/** What the guest in a function receives: a request, or nothing to start the server alone. */
export interface LambdaEvent {
  readonly method?: string;
  readonly path?: string;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
  /** Base64. */
  readonly body?: string;
}

/** There is no such version, or it is not ready. Nothing was executed. */
export class VersionUnavailable extends Error {
  constructor(options: ErrorOptions) {
    super('The version of the function is not available.', options);
    this.name = 'VersionUnavailable';
  }
}

/** Lambda ended the function: it took too long or too much memory, or the guest failed. */
export class FunctionFailed extends Error {
  constructor(
    readonly code: string,
    details = '',
  ) {
    super(`${code}${details && `: ${details}`}`);
    this.name = 'FunctionFailed';
  }
}

/** Invokes versions of functions. */
export class LambdaInvoker {
  /** @param client that repeats throttled calls only: others may have been executed. */
  constructor(private readonly client: LambdaClient) {}

  /**
   * Invokes a function, and reads its frames as they are sent.
   * @throws {VersionUnavailable} @throws {RuntimeFailed} @throws {ForwardFailed} before the first frame.
   * @throws {FunctionFailed} @throws {ForwardFailed} also after it. @throws {Error} when the signal aborts.
   */
  async *invoke(
    { FunctionName, Name: Qualifier }: LambdaName,
    event: LambdaEvent,
    abortSignal: AbortSignal,
  ): AsyncGenerator<LambdaFrame, void, undefined> {
    const command = new InvokeWithResponseStreamCommand({
      FunctionName,
      Qualifier,
      Payload: Buffer.from(JSON.stringify(event)),
    });
    const { EventStream } = await this.client.send(command, { abortSignal }).catch((error: unknown) => {
      throw toFailure(error);
    });
    try {
      if (EventStream) yield* readFrames(payloadOf(EventStream));
    } catch (error) {
      if (error instanceof FunctionFailed || abortSignal.aborted) throw error;
      throw new ForwardFailed('disconnected', { cause: error });
    }
  }
}

async function* payloadOf(events: AsyncIterable<InvokeWithResponseStreamResponseEvent>): AsyncGenerator<Uint8Array> {
  for await (const { PayloadChunk, InvokeComplete } of events) {
    if (PayloadChunk?.Payload) yield PayloadChunk.Payload;
    const { ErrorCode, ErrorDetails } = InvokeComplete ?? {};
    if (ErrorCode !== undefined) throw new FunctionFailed(ErrorCode, ErrorDetails);
  }
}

function toFailure(error: unknown): unknown {
  if (error instanceof TooManyRequestsException) {
    return new RuntimeFailed('queue-full', 'AWS Lambda runs as many functions as the account may have.');
  }
  if (error instanceof RequestTooLargeException) return new ForwardFailed('too-large', { cause: error });
  const isUnavailable =
    error instanceof ResourceNotFoundException ||
    error instanceof ResourceConflictException ||
    error instanceof ResourceNotReadyException;
  return isUnavailable ? new VersionUnavailable({ cause: error }) : error;
}
