import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesETagWeakly } from '@homeport/kernel';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends the body with a strong ETag, or 304 when `If-None-Match` has that tag. The default type is JSON. */
export async function sendWithETag(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { readonly body: string | Buffer; readonly etag: string },
): Promise<void> {
  void reply.header('etag', etag);
  if (matchesETagWeakly(request.headers['if-none-match'] ?? '', etag)) await sendNotModified(reply);
  else await (reply.hasHeader('content-type') ? reply : reply.type(JSON_TYPE)).send(body);
}

/** Sends 304. For HEAD, Fastify would send `Content-Length: 0`, which is not the length of the GET response. */
export async function sendNotModified(reply: FastifyReply): Promise<void> {
  const isHead = reply.request.method === 'HEAD';
  await reply.status(304).send(isHead ? Readable.from([], { objectMode: false }) : undefined);
}
