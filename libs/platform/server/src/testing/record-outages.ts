import { OutageLog } from '../observability/outage-log';

/** A line that an OutageLog has written. */
export interface OutageLine {
  readonly msg: string;
  readonly dependency: string;
  readonly operation: string;
  readonly cause: string;
  readonly ms?: number;
  readonly err?: { readonly message: string };
}

/** The outages of a dependency, and the lines about them. */
export function recordOutages(dependency: string) {
  const lines: OutageLine[] = [];
  const write = (fields: object, msg: string) => void lines.push({ ...fields, msg } as OutageLine);
  const outages = new OutageLog(dependency, { warn: write, info: write } as never);
  return { outages, lines };
}
