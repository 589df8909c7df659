import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { RuntimeLimits } from '../../domain/runtime-limits';
import { endToEndHeaders } from '../http/end-to-end-headers';
import { ForwardFailed, hasBody } from '../http/forward-request';
import { isRuntimeHeader } from '../http/runtime-headers';
import type { LambdaReceiver } from './lambda-invocation';
import type { LambdaEvent } from './lambda-invoker';

/** An event of 6 MB has room for so many bytes in base64, and for header fields. */
export const MAX_BODY_BYTES = 4 * 1024 ** 2;
const BODYLESS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Reads a request whole: functions receive no streams.
 * @throws {ForwardFailed} when the body is too large, or takes too long.
 */
export async function eventOf(
  request: IncomingMessage,
  { bodyBytes, responseMs }: Pick<RuntimeLimits, 'bodyBytes' | 'responseMs'>,
): Promise<LambdaEvent> {
  const { method = 'GET', url: path = '/' } = request;
  const isRead = (name: string) => isRuntimeHeader(name) || name === 'content-length';
  const headers = endToEndHeaders(request.rawHeaders, isRead);
  if (!hasBody(request)) {
    return { method, path, headers: BODYLESS.has(method) ? headers : [...headers, 'Content-Length', '0'] };
  }
  const body = await bodyOf(request, Math.min(bodyBytes, MAX_BODY_BYTES), responseMs);
  return { method, path, headers: [...headers, 'Content-Length', `${body.length}`], body: body.toString('base64') };
}

async function bodyOf(request: IncomingMessage, limit: number, limitMs: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new ForwardFailed('too-large');
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => request.destroy(new ForwardFailed('timeout')), limitMs);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limit) throw new ForwardFailed('too-large');
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}

/** Passes the response of an app on. */
export function responseReceiver(response: ServerResponse): LambdaReceiver {
  return {
    onHead: (status, headers) => {
      response.writeHead(status, endToEndHeaders(headers, isRuntimeHeader) as OutgoingHttpHeader[]);
      response.flushHeaders();
    },
    onBody: async (chunk, signal) => {
      if (!response.write(chunk)) await once(response, 'drain', { signal });
    },
    onEnd: () => void response.end(),
    onBroken: () => response.destroy(),
  };
}
