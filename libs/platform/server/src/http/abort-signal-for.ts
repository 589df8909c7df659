import type { FastifyReply } from 'fastify';

/** Raised when the connection closes before the answer is complete: the client has left. */
export function abortSignalFor(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
