import type { DomainRecord, SeenAnswer } from '@homeport/apps/contracts';
import type { DomainName } from './domain-name';
import type { RequiredRecord } from './required-records';

/** What a check knows of a record beside the answers at its name. */
export interface RecordCircumstances {
  readonly name: DomainName;
  readonly state: DomainRecord['state'];
  readonly seen: readonly SeenAnswer[];
  /** How many of the servers answered. */
  readonly answered: number;
  /** The right value, found at a wrong name. */
  readonly misplacedAt: string | undefined;
  /** Addresses of the name that lead elsewhere. */
  readonly strayAddresses: readonly string[];
}

/** The likely mistake and the next step; null when the record is right or simply not there yet. */
export function hintFor(record: RequiredRecord, found: RecordCircumstances): string | null {
  if (found.state === 'found') return strayHint(found);
  if (found.seen.length === 0 || found.answered === 0) return unansweredHint(found);
  if (found.misplacedAt !== undefined) return misplacedHint(record, found.misplacedAt);
  const values = new Set(found.seen.flatMap(({ answer }) => answer));
  if (values.has(record.value)) return disagreementHint(record, found);
  return values.size === 0 ? null : wrongHint(record, [...values]);
}

function strayHint({ name, strayAddresses }: RecordCircumstances): string | null {
  if (strayAddresses.length === 0) return null;
  return `Some visitors are led elsewhere: "${name}" also has the address ${strayAddresses.join(', ')}. Remove that record.`;
}

function unansweredHint({ name, seen }: RecordCircumstances): string {
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

function wrongHint({ type, value }: RequiredRecord, values: readonly string[]): string {
  const shown = values.slice(0, 3).join(', ');
  return type === 'TXT'
    ? `There is a TXT record with another value (${shown}). Add one more with the value above.`
    : `The ${type} record leads to ${shown}. Change it to ${value}.`;
}
