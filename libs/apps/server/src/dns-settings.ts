// Apart from index.ts, so that a program reads its configuration before it loads anything else.
export { parseServerAddress } from './shared/adapters/dns/tcp-exchange';
export { TSIG_ALGORITHMS } from './dns/adapters/rfc2136/tsig';
