import type { DomainRecordState, DomainRouting } from '@homeport/apps/contracts';
import type { OwnershipProof } from './domain-claim';

/** What one name server says of a record. */
interface Answer {
  readonly outcome: 'found' | 'absent' | 'unknown';
  readonly values: readonly string[];
}

/**
 * Whether the servers prove that a value is published. Servers that disagree prove nothing, neither do servers that do
 * not answer.
 */
export function proofOf(answers: readonly Answer[], value: string): OwnershipProof {
  const known = answers.filter(({ outcome }) => outcome !== 'unknown');
  const present = known.filter(({ values }) => values.includes(value));
  if (known.length === 0) return 'unknown';
  if (present.length === known.length) return 'present';
  return present.length === 0 ? 'absent' : 'unknown';
}

/** The state of a record that has to have one value on all servers. */
export function recordStateOf(answers: readonly Answer[], value: string): DomainRecordState {
  if (proofOf(answers, value) === 'present') return 'found';
  return answers.some(({ values }) => values.length > 0) ? 'wrong' : 'missing';
}

/**
 * Where the addresses of a name lead.
 * @param own the addresses of the content delivery network.
 */
export function routingOf(name: Answer, own: Answer): DomainRouting {
  // A resolver that does not know our own host proves nothing.
  if (name.outcome === 'unknown' || own.outcome !== 'found') return 'unknown';
  if (name.outcome === 'absent') return 'elsewhere';
  const here = name.values.filter((address) => own.values.includes(address));
  if (here.length === name.values.length) return 'here';
  return here.length === 0 ? 'elsewhere' : 'partly';
}
