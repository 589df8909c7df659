import type { FastifyReply } from 'fastify';

/** @returns a signal that aborts when the client disconnects before the response is complete. */
export function abortSignalFor(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
