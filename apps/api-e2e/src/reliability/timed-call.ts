import { request } from 'node:http';

export interface TimedCall {
  readonly url: string;
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TimedResponse {
  /** 0 when no response arrived. */
  readonly status: number;
  readonly body: string;
  /** Whether the response ended as its framing declares. */
  readonly isWhole: boolean;
  /** Milliseconds until the head of the response, or until the connection failed. */
  readonly answeredAfter: number;
  /** Milliseconds of the longest pause after that. */
  readonly longestPause: number;
}

/** Makes a call over a new connection, and measures it. Never rejects. */
export function timedCall({ url, method = 'GET', token, headers = {}, body }: TimedCall): Promise<TimedResponse> {
  const began = performance.now();
  return new Promise((resolve) => {
    const more = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    };
    const sent = request(url, { method, agent: false, headers: { ...headers, ...more } });
    sent.on('error', () => {
      resolve({ status: 0, body: '', isWhole: false, answeredAfter: performance.now() - began, longestPause: 0 });
    });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      const answeredAfter = performance.now() - began;
      let last = performance.now();
      let longestPause = 0;
      const note = () => {
        longestPause = Math.max(longestPause, performance.now() - last);
        last = performance.now();
      };
      response.on('data', (chunk: Buffer) => {
        note();
        chunks.push(chunk);
      });
      response.on('error', () => undefined);
      response.on('close', () => {
        note();
        sent.destroy();
        const { statusCode: status = 0, complete: isWhole } = response;
        resolve({ status, body: Buffer.concat(chunks).toString(), isWhole, answeredAfter, longestPause });
      });
    });
    sent.end(body);
  });
}
