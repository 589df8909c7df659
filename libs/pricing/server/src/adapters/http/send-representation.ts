import type { IncomingHttpHeaders } from 'node:http';
import accepts from '@fastify/accept-negotiator';
import { sendWithETag } from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, ENCODINGS, type EncodedRepresentations } from '../../application/encoded-representations';

/** The contract allows no other directives. */
export const FIVE_MINUTES = { 'cache-control': 'max-age=300' } as const;
export const STATEMENT_HEADERS = { ...FIVE_MINUTES, link: '</v1/pricing/schema>; rel="describedby"' } as const;

const COMMON_REPRESENTATION_HEADERS = { vary: 'Accept-Encoding', 'access-control-allow-origin': '*' } as const;

/** Headers of each encoded representation. */
const REPRESENTATION_HEADERS: Readonly<Record<Encoding, Readonly<Record<string, string>>>> = {
  br: { ...COMMON_REPRESENTATION_HEADERS, 'content-encoding': 'br' },
  gzip: { ...COMMON_REPRESENTATION_HEADERS, 'content-encoding': 'gzip' },
  identity: COMMON_REPRESENTATION_HEADERS,
};

/** Chooses the best encoding that the caller accepts. */
function negotiateEncoding(headers: IncomingHttpHeaders): Encoding {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  return (accepts.negotiate(accepted, [...ENCODINGS]) ?? 'identity') as Encoding;
}

/** Sends the representation with the best encoding that the caller accepts. */
export async function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  { representations }: EncodedRepresentations,
): Promise<void> {
  const encoding = negotiateEncoding(request.headers);
  void reply.headers(REPRESENTATION_HEADERS[encoding]);
  await sendWithETag(request, reply, representations[encoding]);
}
