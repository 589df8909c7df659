import { OutageLog } from '../observability/outage-log';

/** A log line of an OutageLog. */
export interface OutageLine {
  readonly msg: string;
  readonly dependency: string;
  readonly operation: string;
  readonly cause: string;
  readonly ms?: number;
  readonly err?: { readonly message: string };
}

/** Creates an outage log and the list of its lines. */
export function recordOutages(dependency: string) {
  const lines: OutageLine[] = [];
  const write = (fields: object, msg: string) => void lines.push({ ...fields, msg } as OutageLine);
  const outages = new OutageLog(dependency, { warn: write, info: write } as never);
  return { outages, lines };
}
