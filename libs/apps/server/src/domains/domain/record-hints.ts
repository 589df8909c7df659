import type { DomainRecord, SeenAnswer } from '@homeport/apps/contracts';
import { isProxyAddress } from './proxy-addresses';
import type { RequiredRecord } from './required-records';

/** What a check knows of a record beside the answers at its name. */
export interface RecordCircumstances {
  readonly state: DomainRecord['state'];
  readonly seen: readonly SeenAnswer[];
  /** How many of the servers answered. */
  readonly answered: number;
  /** The right value, found at a wrong name. */
  readonly misplacedAt: string | undefined;
  /** For a routing record: where the addresses of the name lead. */
  readonly addresses: { readonly here: readonly string[]; readonly elsewhere: readonly string[] };
}

/** The likely mistake and the next step; null when the record is right or simply not there yet. */
export function hintFor(record: RequiredRecord, found: RecordCircumstances): string | null {
  if (found.state === 'found') return strayHint(record, found);
  if (found.seen.length === 0 || found.answered === 0) return unansweredHint(record, found);
  if (found.misplacedAt !== undefined) return misplacedHint(record, found.misplacedAt);
  const values = [...new Set(found.seen.flatMap(({ answer }) => answer))];
  if (values.includes(record.value)) return disagreementHint(record, found);
  if (values.some((value) => withoutQuotes(value) === record.value)) return quotesHint(record);
  return values.length === 0 ? missingHint(record, found) : wrongHint(record, values, found);
}

function strayHint({ name }: RequiredRecord, { addresses: { elsewhere } }: RecordCircumstances): string | null {
  if (elsewhere.length === 0) return null;
  return `Some visitors are led elsewhere: "${name}" also has the address ${listOf(elsewhere)}. Remove that record.`;
}

function unansweredHint({ name }: RequiredRecord, { seen }: RecordCircumstances): string {
  return seen.length === 0
    ? `No name server of "${name}" was found. Check that the domain is registered and delegated.`
    : 'No name server answers now. The domain keeps its state, and the check is repeated.';
}

function misplacedHint(record: RequiredRecord, misplacedAt: string): string {
  return misplacedAt.startsWith(`${record.name}.`)
    ? `The record is at "${misplacedAt}": your DNS provider adds the domain to the name. Enter the name without it.`
    : `The record is at "${misplacedAt}". Its name has to be "${record.name}".`;
}

function disagreementHint({ value }: RequiredRecord, { seen }: RecordCircumstances): string {
  const right = seen.filter(({ answer }) => answer.includes(value));
  if (right.length === seen.length) return 'There are several values. Remove the others.';
  return `${right.length} of ${seen.length} name servers have the record. The others usually follow within an hour.`;
}

function quotesHint({ value }: RequiredRecord): string {
  return `The value has quotation marks or spaces around it. Enter it without them: ${value}`;
}

/** Some addresses answer in place of a missing CNAME record. */
function missingHint({ name, purpose, type }: RequiredRecord, { addresses }: RecordCircumstances): string | null {
  if (purpose !== 'routing') return null;
  const { here, elsewhere } = addresses;
  if (elsewhere.some(isProxyAddress)) {
    return `The addresses of "${name}" belong to the proxy of Cloudflare, which hides the record. Set the record to "DNS only".`;
  }
  if (type !== 'CNAME') {
    return elsewhere.length > 0 ? `"${name}" has other addresses: ${listOf(elsewhere)}. Replace their records.` : null;
  }
  if (elsewhere.length > 0) {
    return `"${name}" has the address ${listOf(elsewhere)}. Remove its A and AAAA records, and add the CNAME record.`;
  }
  if (here.length === 0) return null;
  return `"${name}" leads here by its addresses, which may change. Replace its A and AAAA records by the CNAME record.`;
}

function wrongHint(
  { type, value }: RequiredRecord,
  values: readonly string[],
  { addresses: { here, elsewhere } }: RecordCircumstances,
): string {
  if (type === 'TXT') {
    return values.every((each) => each === '')
      ? 'There is an empty TXT record. Add one more with the value above.'
      : `There is a TXT record with another value (${listOf(values)}). Add one more with the value above.`;
  }
  // Visitors arrive, through a name that the owner or another party can change.
  const isIndirect = type === 'CNAME' && here.length > 0 && elsewhere.length === 0;
  return isIndirect
    ? `The CNAME record leads here through ${listOf(values)}, which may change. Change it to ${value}.`
    : `The ${type} record leads to ${listOf(values)}. Change it to ${value}.`;
}

function withoutQuotes(value: string): string {
  return value.replace(/^["'“”\s]+|["'“”\s]+$/g, '');
}

function listOf(values: readonly string[]): string {
  return values.slice(0, 3).join(', ');
}
