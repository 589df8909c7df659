import type { RuntimeFailure } from '../../application/runtime.errors';
import type { SandboxLine } from '../../application/sandbox.port';

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What the guest in a function sends, in any order until `ended`. `lambda.mjs` writes it. */
export type LambdaFrame =
  /** The first frame: which copy of the function answers. */
  | { readonly type: 'instance'; readonly id: string; readonly startedOn: string }
  /** The server listens. */
  | { readonly type: 'started'; readonly requests: number }
  | ({ readonly type: 'line' } & SandboxLine)
  /** The server has exited, in this request or since the last one. */
  | ({ readonly type: 'exited' } & Exit)
  /** @property headers alternating names and values. */
  | { readonly type: 'head'; readonly status: number; readonly headers: readonly string[] }
  | { readonly type: 'body'; readonly chunk: Buffer }
  /** There is no response, or it ends here. A start that fails without an exit took too long. */
  | { readonly type: 'failed'; readonly failure: RuntimeFailure; readonly exit?: Exit; readonly reason?: string }
  | { readonly type: 'ended'; readonly memoryBytes: number };

const TYPES = [undefined, 'started', 'line', 'exited', 'head', 'body', 'failed', 'ended', 'instance'] as const;
const HEADER_BYTES = 5;
/** Longer frames are no frames of the guest. */
const MAX_FRAME_BYTES = 16 * 1024 ** 2;

/**
 * Reads frames: a byte with the type, four with the length, and JSON, or the bytes of a body.
 * @throws {Error} when the bytes are no frames, or end within one.
 */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LambdaFrame, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + rest.readUInt32BE(1);
      if (end > MAX_FRAME_BYTES) throw new Error('The function sent no frames.');
      if (rest.length < end) break;
      yield frameOf(rest.readUInt8(), rest.subarray(HEADER_BYTES, end));
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) throw new Error('The function sent a part of a frame.');
}

function frameOf(code: number, payload: Buffer): LambdaFrame {
  const type = TYPES[code];
  if (type === undefined) throw new Error('The function sent an unknown frame.');
  if (type === 'body') return { type, chunk: payload };
  return { type, ...(JSON.parse(payload.toString()) as object) } as LambdaFrame;
}
