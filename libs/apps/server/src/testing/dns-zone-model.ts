import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CnameRecord, type DnsZone, type RecordChange, RecordConflict } from '../dns/application/dns-zone.port';

const RECORDS: readonly (CnameRecord | undefined)[] = [
  undefined,
  { target: 'one.example', ttl: 60 },
  { target: 'two.example', ttl: 60 },
];
const LABELS = ['a', 'b', 'c', 'd'];
const RUNS = 20;

interface Change {
  readonly label: string;
  readonly before: CnameRecord | undefined;
  readonly after: CnameRecord | undefined;
}

const record = fc.constantFrom(...RECORDS);
const change: fc.Arbitrary<Change> = fc
  .record({ label: fc.constantFrom(...LABELS), before: record, after: record })
  .filter(({ before, after }) => before !== undefined || after !== undefined);
const batch = fc.uniqueArray(change, { selector: ({ label }) => label, minLength: 1 });

/** Checks random changes of a zone against a map with compare-and-swap. */
export function dnsZoneModel(open: () => { readonly zone: DnsZone; readonly domain: string }): void {
  it('behaves like a map with compare-and-swap for random changes', async () => {
    const { zone, domain } = open();
    const signal = new AbortController().signal;
    let run = 0;
    const matchesModel = async (batches: readonly (readonly Change[])[]): Promise<void> => {
      const suffix = `model-${process.pid}-${run++}.${domain}`;
      const model = new Map<string, CnameRecord>();
      for (const changes of batches) {
        const requested = changes.map((each) => asRecordChange(each, suffix));
        const error = await zone.change(requested, signal).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (isAllowed(model, requested)) expect(error).toBeUndefined();
        else expect(error).toBeInstanceOf(RecordConflict);
        if (error === undefined) apply(model, requested);
      }
      for (const label of LABELS) {
        const hostname = `${label}.${suffix}`;
        expect((await zone.find(hostname, signal))?.cname).toEqual(model.get(hostname));
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(batch, { maxLength: 12 }), matchesModel), { numRuns: RUNS });
  });
}

function asRecordChange({ label, before, after }: Change, suffix: string): RecordChange {
  return { hostname: `${label}.${suffix}`, ...(before && { before }), ...(after && { after }) };
}

function isAllowed(model: ReadonlyMap<string, CnameRecord>, changes: readonly RecordChange[]): boolean {
  return changes.every(({ hostname, before }) => model.get(hostname)?.target === before?.target);
}

function apply(model: Map<string, CnameRecord>, changes: readonly RecordChange[]): void {
  for (const { hostname, after } of changes) {
    if (after) model.set(hostname, after);
    else model.delete(hostname);
  }
}
