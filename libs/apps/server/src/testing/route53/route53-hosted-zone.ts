import type { Change, ListResourceRecordSetsResponse, ResourceRecordSet, RRType } from '@aws-sdk/client-route-53';

/** Limits of Route 53 for one batch. */
const MAX_RECORDS = 1_000;
const MAX_CHARACTERS = 32_000;
/** Maximum page size of a listing. */
const PAGE_SIZE = 300;

/**
 * The content of a hosted zone with the rules of Route 53: atomic batches, exact deletions, and no record beside a
 * CNAME.
 */
export class HostedZoneDouble {
  #sets: ReadonlyMap<string, ResourceRecordSet> = new Map();
  readonly #apex: string;

  constructor(
    domain: string,
    private readonly mostSets: number,
  ) {
    this.#apex = absolute(domain);
    this.put({ Name: domain, Type: 'NS', TTL: 172_800, ResourceRecords: [{ Value: 'ns-1.awsdns.example.' }] });
    const soa = 'ns-1.awsdns.example. hostmaster.example. 1 7200 900 1209600 86400';
    this.put({ Name: domain, Type: 'SOA', TTL: 900, ResourceRecords: [{ Value: soa }] });
  }

  /** In the order of a listing. */
  get sets(): readonly ResourceRecordSet[] {
    return [...this.#sets.values()].toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  }

  get(name: string, type: RRType): ResourceRecordSet | undefined {
    return this.#sets.get(keyOf({ Name: absolute(name), Type: type }));
  }

  /** Sets a record without validation. */
  put(set: ResourceRecordSet): void {
    const stored = { ...set, Name: absolute(set.Name) };
    this.#sets = new Map(this.#sets).set(keyOf(stored), stored);
  }

  drop(name: string, type: RRType): void {
    const next = new Map(this.#sets);
    next.delete(keyOf({ Name: absolute(name), Type: type }));
    this.#sets = next;
  }

  /** @returns Route 53's errors; then nothing was changed. An empty list means that all changes were applied. */
  apply(changes: readonly Change[]): readonly string[] {
    const next = new Map(this.#sets);
    const faults = changes.map((change) => this.#applyTo(next, change)).filter((fault) => fault !== undefined);
    faults.push(...exceededLimits(changes));
    if (next.size > this.mostSets) faults.push(`RRSETs limit of ${this.mostSets} exceeded in the zone`);
    if (faults.length === 0) this.#sets = next;
    return faults;
  }

  list(from: { readonly name: string; readonly type: string }, wanted: number): ListResourceRecordSetsResponse {
    const start = from.name && orderOf({ Name: absolute(from.name), Type: from.type });
    const rest = this.sets.filter((set) => orderOf(set) >= start);
    const MaxItems = Math.min(wanted, PAGE_SIZE);
    const next = rest[MaxItems];
    return {
      ResourceRecordSets: rest.slice(0, MaxItems),
      IsTruncated: next !== undefined,
      ...(next?.Type && { NextRecordName: next.Name, NextRecordType: next.Type }),
      MaxItems,
    };
  }

  #applyTo(next: Map<string, ResourceRecordSet>, { Action, ResourceRecordSet: given }: Change): string | undefined {
    const set = { ...given, Name: absolute(given?.Name), Type: given?.Type } as ResourceRecordSet;
    const label = `[name='${set.Name}', type='${set.Type}']`;
    if (!isIn(set.Name, this.#apex)) return `RRSet with DNS name ${set.Name} is not permitted in zone ${this.#apex}`;
    const present = next.get(keyOf(set));
    if (Action === 'DELETE') {
      if (!present) return `Tried to delete resource record set ${label} but it was not found`;
      if (!isSame(present, set)) return `Tried to delete resource record set ${label} but the values do not match`;
      next.delete(keyOf(set));
      return undefined;
    }
    if (Action === 'CREATE' && present) return `Tried to create resource record set ${label} but it already exists`;
    if (isCrowded(next, set)) return `RRSet ${label} is not permitted beside another type at the same name`;
    next.set(keyOf(set), set);
    return undefined;
  }
}

/**
 * Lower case, with a trailing dot and Route 53's octal escapes for characters other than letters, digits, `-` and `_`.
 */
export function absolute(name = ''): string {
  const lower = name.toLowerCase().replace(/\.?$/, '.');
  return lower.replace(
    /\\(?!\d{3})|[^a-z0-9\-_.\\]/g,
    (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

function isIn(name: string | undefined, apex: string): boolean {
  return name === apex || name?.endsWith(`.${apex}`) === true;
}

function keyOf({ Name, Type, SetIdentifier = '' }: Partial<ResourceRecordSet>): string {
  return `${Name} ${Type} ${SetIdentifier}`;
}

/** Names are sorted by their labels from the right. */
function orderOf({ Name, Type }: Pick<ResourceRecordSet, 'Name'> & { Type?: string | undefined }): string {
  return `${(Name ?? '').split('.').toReversed().join('.')} ${Type ?? ''}`;
}

function isSame(one: ResourceRecordSet, other: ResourceRecordSet): boolean {
  const values = ({ ResourceRecords = [] }: ResourceRecordSet) => ResourceRecords.map(({ Value }) => Value).sort();
  return one.TTL === other.TTL && JSON.stringify(values(one)) === JSON.stringify(values(other));
}

function isCrowded(sets: ReadonlyMap<string, ResourceRecordSet>, { Name, Type }: ResourceRecordSet): boolean {
  const others = TYPES.filter((type) => type !== Type && (type === 'CNAME' || Type === 'CNAME'));
  return others.some((other) => sets.has(keyOf({ Name, Type: other })));
}

const TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SPF', 'SRV', 'TXT'] as const;

/** An UPSERT counts twice, because it may be a deletion and a creation. */
function exceededLimits(changes: readonly Change[]): string[] {
  const values = changes.flatMap(({ Action, ResourceRecordSet: set }) =>
    [set?.ResourceRecords ?? []].flatMap((records) => (Action === 'UPSERT' ? [...records, ...records] : records)),
  );
  const characters = values.reduce((sum, { Value = '' }) => sum + Value.length, 0);
  return [
    ...(values.length > MAX_RECORDS ? [`Number of records limit of ${MAX_RECORDS} exceeded.`] : []),
    ...(characters > MAX_CHARACTERS ? [`Number of characters limit of ${MAX_CHARACTERS} exceeded.`] : []),
  ];
}
