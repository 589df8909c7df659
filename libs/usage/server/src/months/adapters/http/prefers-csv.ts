import { Negotiator } from '@fastify/accept-negotiator';

export const CSV = 'text/csv';
/** `Negotiator` matches no media type with other parameters than `q`. */
const CHARSET = /;\s*charset=[^;,]*/g;

const negotiator = new Negotiator({ supportedValues: ['application/json', CSV] });

/** @param accept the header of a request. @returns whether it names CSV and prefers it to JSON. */
export function prefersCsv(accept = ''): boolean {
  return negotiator.negotiate(accept.toLowerCase().replace(CHARSET, '')) === CSV;
}
