import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether the caller's copy is the one tagged `etag`, compared weakly, as RFC 9110 asks of `If-None-Match`. */
function hasCurrentCopy(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known?.some((each) => each === etag || each === '*') ?? false;
}

/** Sends JSON under a strong tag, or 304 when the caller has just that. */
export async function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { readonly body: string | Buffer; readonly etag: string },
): Promise<void> {
  void reply.header('etag', etag);
  if (hasCurrentCopy(request, etag)) await reply.status(304).send();
  else await reply.type('application/json; charset=utf-8').send(body);
}
