import type { IncomingMessage } from 'node:http';
import { rawPathOf } from '@homeport/kernel';
import { LoadShedder } from '@homeport/platform/server/node-http';
import type { Logger } from 'pino';

/** Load balancers act on the checks, and every client may read the prices. */
export const ALWAYS_SERVED: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/v1/pricing']);
/** Keeps PostgreSQL and object storage busy, and is few enough that no read waits long for a connection to them. */
const MAX_STARTED_READS = 64;
const STORAGE_PATHS = /^\/api\/(?:files|archives)(?:\/|$)/;

/** Requests for a slow object storage do not count against those that need only PostgreSQL. */
export function apiLoadShedder(log: Pick<Logger, 'warn'>): LoadShedder {
  return new LoadShedder({
    groupOf,
    maxStartedReads: MAX_STARTED_READS,
    onBegin: () => log.warn('overloaded: requests are refused'),
    onEnd: (refused) => log.warn({ refused }, 'no longer overloaded'),
  });
}

function groupOf({ url = '/' }: IncomingMessage): string | undefined {
  const path = rawPathOf(url);
  if (ALWAYS_SERVED.has(path)) return undefined;
  return STORAGE_PATHS.test(path) ? 'storage' : 'database';
}
