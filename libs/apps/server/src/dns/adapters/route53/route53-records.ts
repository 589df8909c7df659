import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import type { CnameRecord, ZoneRecord } from '../../application/dns-zone.port';

export function toRecordSet(hostname: string, { target, ttl }: CnameRecord): ResourceRecordSet {
  return { Name: hostname, Type: 'CNAME', TTL: ttl, ResourceRecords: [{ Value: target }] };
}

/**
 * The canonical name of a record set. Route 53 escapes characters other than letters, digits, `-` and `_` in octal:
 * `\052`.
 */
export function hostnameOf({ Name = '' }: ResourceRecordSet): string {
  const decoded = Name.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return canonical(decoded);
}

/** @param sets all record sets of one name; at least one. */
export function zoneRecordOf(sets: readonly ResourceRecordSet[]): ZoneRecord {
  const [first = { Name: undefined, Type: undefined }, ...others] = sets;
  const cname = others.length === 0 ? cnameOf(first) : undefined;
  return { hostname: hostnameOf(first), ...(cname && { cname }) };
}

/** Yields each name below the apex once. The apex is the first name of the listing. */
export async function* recordsOf(pages: AsyncIterable<readonly ResourceRecordSet[]>): AsyncIterable<ZoneRecord> {
  let apex: string | undefined;
  for await (const sets of byName(pages)) {
    if (apex === undefined) apex = sets[0]?.Name;
    else yield zoneRecordOf(sets);
  }
}

/** Groups records by name. The records of a name are adjacent, but may span two pages. */
async function* byName(
  pages: AsyncIterable<readonly ResourceRecordSet[]>,
): AsyncIterable<readonly ResourceRecordSet[]> {
  let sets: ResourceRecordSet[] = [];
  for await (const page of pages) {
    for (const set of page) {
      if (sets.length > 0 && sets[0]?.Name !== set.Name) {
        yield sets;
        sets = [];
      }
      sets.push(set);
    }
  }
  if (sets.length > 0) yield sets;
}

/**
 * Undefined for other types, for a CNAME with a routing policy (`SetIdentifier`), and for an alias, which has no
 * target.
 */
function cnameOf({ Type, TTL, SetIdentifier, ResourceRecords = [] }: ResourceRecordSet): CnameRecord | undefined {
  const [record] = ResourceRecords;
  if (Type !== 'CNAME' || SetIdentifier !== undefined || record?.Value === undefined || TTL === undefined) {
    return undefined;
  }
  return { target: canonical(record.Value), ttl: TTL };
}

function canonical(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}
