import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';

export interface SentCommand {
  /** `put`, or for multipart uploads `begin`, `part <number>`, `end` or `undo`. */
  readonly step: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Runs before the response. An error that it throws and an object that it returns become the response. */
type CommandHandler = (sent: SentCommand) => unknown;

/** Simulates S3 writes without a network. Every command succeeds unless a handler changes its response. */
export class FakeS3Client {
  readonly sent: SentCommand[] = [];
  /** Sizes of all parts that were received completely. */
  readonly partSizes: number[] = [];
  mostPartsInFlight = 0;
  #partsInFlight = 0;
  readonly #handlers = new Map<string, CommandHandler>();

  /** Typed as `S3Client`; only `send` is implemented. */
  get client(): S3Client {
    return this as unknown as S3Client;
  }

  get steps(): string[] {
    return this.sent.map(({ step }) => step);
  }

  on(step: string, handler: CommandHandler): void {
    this.#handlers.set(step, handler);
  }

  inputOf(step: string): Readonly<Record<string, unknown>> {
    return this.sent.find((each) => each.step === step)?.input ?? {};
  }

  async send(command: { readonly input: object }, options: { readonly abortSignal: AbortSignal }): Promise<object> {
    const input = command.input as SentCommand['input'];
    const sent = { step: stepOf(command, input), input, signal: options.abortSignal };
    this.sent.push(sent);
    sent.signal.throwIfAborted();
    if (command instanceof UploadPartCommand) return this.#receivePart(sent);
    const response = await this.#handlers.get(sent.step)?.(sent);
    await sizeOf(input['Body']);
    if (typeof response === 'object' && response !== null) return response;
    return command instanceof CreateMultipartUploadCommand ? { UploadId: 'id' } : { ETag: '"whole"' };
  }

  async #receivePart(sent: SentCommand): Promise<object> {
    this.#partsInFlight += 1;
    this.mostPartsInFlight = Math.max(this.mostPartsInFlight, this.#partsInFlight);
    try {
      await this.#handlers.get(sent.step)?.(sent);
      this.partSizes.push(await sizeOf(sent.input['Body']));
      return { ETag: `"${sent.step}"` };
    } finally {
      this.#partsInFlight -= 1;
    }
  }
}

/** Rejects when the signal aborts, like the SDK. */
export function untilAborted({ signal }: SentCommand): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

async function sizeOf(body: unknown): Promise<number> {
  let size = 0;
  if (body instanceof Readable) for await (const chunk of body) size += (chunk as Buffer).length;
  return size;
}

function stepOf(command: object, input: SentCommand['input']): string {
  if (command instanceof UploadPartCommand) return `part ${String(input['PartNumber'])}`;
  if (command instanceof PutObjectCommand) return 'put';
  if (command instanceof CreateMultipartUploadCommand) return 'begin';
  if (command instanceof CompleteMultipartUploadCommand) return 'end';
  if (command instanceof AbortMultipartUploadCommand) return 'undo';
  throw new Error(`${command.constructor.name} is not a write command`);
}
