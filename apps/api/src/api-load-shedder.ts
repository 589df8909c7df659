import type { IncomingMessage } from 'node:http';
import { rawPathOf } from '@homeport/kernel';
import { LoadShedder } from '@homeport/platform/server/node-http';
import type { Logger } from 'pino';

/** Load balancers act on the checks, and every client may read the prices. */
export const ALWAYS_SERVED: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/v1/pricing']);
const STORAGE_PATHS = /^\/api\/(?:files|archives)(?:\/|$)/;

/** Requests for a slow object storage do not count against those that need only PostgreSQL. */
export function apiLoadShedder(log: Pick<Logger, 'warn'>): LoadShedder {
  return new LoadShedder({
    groupOf,
    onBegin: () => log.warn('overloaded: requests are refused'),
    onEnd: (refused) => log.warn({ refused }, 'no longer overloaded'),
  });
}

function groupOf({ url = '/' }: IncomingMessage): string | undefined {
  const path = rawPathOf(url);
  if (ALWAYS_SERVED.has(path)) return undefined;
  return STORAGE_PATHS.test(path) ? 'storage' : 'database';
}
