import { request } from 'node:http';

export interface RawCall {
  readonly method: string;
  readonly url: string;
  readonly token: string;
  readonly body?: Buffer | undefined;
  /** Sends the body without a declared length. */
  readonly isChunked?: boolean;
}

export interface RawResponse {
  /** Undefined when no response arrived. */
  readonly status: number | undefined;
  readonly body: Buffer;
  /** Whether the response ended as its framing declares. */
  readonly isWhole: boolean;
}

/** Makes a call over a new connection. Never rejects; an incomplete response is a result too. */
export function rawCall({ method, url, token, body, isChunked = false }: RawCall): Promise<RawResponse> {
  return new Promise((resolve) => {
    const length = isChunked || method === 'GET' ? {} : { 'content-length': body?.length ?? 0 };
    const call = request(url, { method, agent: false, headers: { authorization: `Bearer ${token}`, ...length } });
    call.on('error', () => resolve({ status: undefined, body: Buffer.alloc(0), isWhole: false }));
    call.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => undefined);
      answer.on('close', () => {
        call.destroy();
        resolve({ status: answer.statusCode, body: Buffer.concat(chunks), isWhole: answer.complete });
      });
    });
    if (isChunked && body) call.write(body.subarray(0, 1));
    call.end(isChunked ? body?.subarray(1) : body);
  });
}
