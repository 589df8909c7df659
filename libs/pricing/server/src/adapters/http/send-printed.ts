import accepts from '@fastify/accept-negotiator';
import { sendTagged } from '@homeport/platform/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENCODINGS, type Printed } from '../../application/printed';

/** Sends bytes in the best form that the caller takes. */
export async function sendPrinted(request: FastifyRequest, reply: FastifyReply, { forms }: Printed): Promise<void> {
  const encoding = accepts.negotiate(request.headers['accept-encoding'] ?? 'identity', [...ENCODINGS]) ?? 'identity';
  void reply.headers({ vary: 'Accept-Encoding', 'access-control-allow-origin': '*' });
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  await sendTagged(request, reply, forms[encoding as keyof Printed['forms']]);
}
