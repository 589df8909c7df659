import type { RecordChange } from '../../application/dns/dns-zone.port';
import { CLASS, type DraftRecord, TYPE } from './message';

const EMPTY = { type: TYPE.ANY, ttl: 0 } as const;

/** RFC 2136 section 2.4.4: something stands at the name, whatever its type. */
export function nameInUse(name: string): DraftRecord {
  return { ...EMPTY, name, class: CLASS.ANY };
}

/** Sections 2.4.5, nothing stands there, and 2.4.2, exactly this does: the time to live is never compared. */
export function prerequisiteOf({ hostname: name, before }: RecordChange): DraftRecord {
  if (!before) return { ...EMPTY, name, class: CLASS.NONE };
  return { name, type: TYPE.CNAME, class: CLASS.IN, ttl: 0, target: before.target };
}

/** Sections 2.5.4, one record goes, and 2.5.1, one comes. They are done in this order. */
export function updatesOf({ hostname: name, before, after }: RecordChange): DraftRecord[] {
  const type = TYPE.CNAME;
  return [
    ...(before ? [{ name, type, class: CLASS.NONE, ttl: 0, target: before.target }] : []),
    ...(after ? [{ name, type, class: CLASS.IN, ttl: after.ttl, target: after.target }] : []),
  ];
}
