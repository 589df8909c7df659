import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesETagWeakly } from './entity-tags';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends JSON (or what has a type already) under a strong tag, or 304 when the caller has just that. */
export async function sendWithETag(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { readonly body: string | Buffer; readonly etag: string },
): Promise<void> {
  void reply.header('etag', etag);
  if (matchesETagWeakly(request.headers['if-none-match'] ?? '', etag)) await sendNotModified(reply);
  else await (reply.hasHeader('content-type') ? reply : reply.type(JSON_TYPE)).send(body);
}

/** Answers 304. For HEAD Fastify would state the length of nothing, which is not that of the answer to a GET. */
export async function sendNotModified(reply: FastifyReply): Promise<void> {
  const isHead = reply.request.method === 'HEAD';
  await reply.status(304).send(isHead ? Readable.from([], { objectMode: false }) : undefined);
}
