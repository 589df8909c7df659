import type { RecordChange } from '../../application/dns-zone.port';
import { CLASS, type DraftRecord, TYPE } from './message';

const EMPTY = { type: TYPE.ANY, ttl: 0 } as const;

/** RFC 2136 section 2.4.4: the name has a record of any type. */
export function nameInUse(name: string): DraftRecord {
  return { ...EMPTY, name, class: CLASS.ANY };
}

/** RFC 2136 section 2.4.5 (the name has no record) or 2.4.2 (it has exactly this record). TTLs are not compared. */
export function prerequisiteOf({ hostname: name, before }: RecordChange): DraftRecord {
  if (!before) return { ...EMPTY, name, class: CLASS.NONE };
  return { name, type: TYPE.CNAME, class: CLASS.IN, ttl: 0, target: before.target };
}

/** RFC 2136 sections 2.5.4 (delete one record) and 2.5.1 (add one record), applied in this order. */
export function updatesOf({ hostname: name, before, after }: RecordChange): DraftRecord[] {
  const type = TYPE.CNAME;
  return [
    ...(before ? [{ name, type, class: CLASS.NONE, ttl: 0, target: before.target }] : []),
    ...(after ? [{ name, type, class: CLASS.IN, ttl: after.ttl, target: after.target }] : []),
  ];
}
