import type { FastifyRequest } from 'fastify';

/** Returns the token of the header. passport-jwt's own extractor ignores extra text around the token. */
export function bearerIn({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): string | null {
  // Node passes on only the first of two headers; a proxy in front may have checked the second one.
  if (raw.rawHeaders.filter(isAuthorization).length > 1) return null;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Raw headers alternate between names and values. */
function isAuthorization(each: string, index: number): boolean {
  return index % 2 === 0 && each.toLowerCase() === 'authorization';
}
