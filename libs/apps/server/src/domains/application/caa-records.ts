import { permitsIssuance } from '../domain/caa';
import type { DomainResolver, ServerAnswer } from './domain-resolver.port';

/** What the servers answer at the closest name that has CAA records, or that no server answers for. */
export interface CaaRecords {
  readonly place: string;
  /** One for each server. */
  readonly answers: readonly ServerAnswer[];
}

/** Finds the CAA records that apply to a name: its own, or those of the closest name above (RFC 8659, section 3). */
export async function findCaaRecords(resolver: DomainResolver, name: string): Promise<CaaRecords | undefined> {
  for (let place = name; place.includes('.'); place = place.slice(place.indexOf('.') + 1)) {
    const answers = await resolver.askAll(place, 'CAA');
    const records = { place, answers };
    if (isUnanswered(records) || answers.some(({ outcome }) => outcome === 'found')) return records;
  }
  return undefined;
}

export function isUnanswered({ answers }: CaaRecords): boolean {
  return answers.length > 0 && answers.every(({ outcome }) => outcome === 'unknown');
}

/**
 * Finds a server whose records do not permit the certificate: authorities may ask any of them.
 * @param authorities the names of our authority in CAA records; when it has none, it decides itself.
 * @param names of the certificate.
 */
export function findForbiddingAnswer(
  { answers }: CaaRecords,
  authorities: readonly string[],
  names: readonly string[],
): ServerAnswer | undefined {
  if (authorities.length === 0) return undefined;
  return answers
    .filter(({ outcome }) => outcome === 'found')
    .find(({ values }) => !names.every((name) => permitsIssuance(values, authorities, name.startsWith('*.'))));
}
