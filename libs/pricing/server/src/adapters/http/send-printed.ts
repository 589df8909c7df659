import type { IncomingHttpHeaders } from 'node:http';
import accepts from '@fastify/accept-negotiator';
import { sendTagged } from '@homeport/platform/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, ENCODINGS, type Printed } from '../../application/printed';

/** Exactly this, and nothing more. */
export const FIVE_MINUTES = { 'cache-control': 'max-age=300' } as const;
export const STATEMENT_HEADERS = { ...FIVE_MINUTES, link: '</v1/pricing/schema>; rel="describedby"' } as const;

const ANY_FORM = { vary: 'Accept-Encoding', 'access-control-allow-origin': '*' } as const;

/** What is said about the bytes of each form. */
export const FORM_HEADERS: Readonly<Record<Encoding, Readonly<Record<string, string>>>> = {
  br: { ...ANY_FORM, 'content-encoding': 'br' },
  gzip: { ...ANY_FORM, 'content-encoding': 'gzip' },
  identity: ANY_FORM,
};

/** The best form that the caller takes. */
export function encodingFor(headers: IncomingHttpHeaders): Encoding {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  return (accepts.negotiate(accepted, [...ENCODINGS]) ?? 'identity') as Encoding;
}

/** Sends bytes in the best form that the caller takes. */
export async function sendPrinted(request: FastifyRequest, reply: FastifyReply, { forms }: Printed): Promise<void> {
  const encoding = encodingFor(request.headers);
  void reply.headers(FORM_HEADERS[encoding]);
  await sendTagged(request, reply, forms[encoding]);
}
