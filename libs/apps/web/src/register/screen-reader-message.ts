import type { SubdomainAvailability } from '@homeport/apps/contracts';
import type { AddressRule } from './address-rules';

/** The state of the name field. */
export interface NameState {
  /** Empty while there is no name. */
  readonly address: string;
  readonly rules: readonly AddressRule[];
  readonly answer: SubdomainAvailability | undefined;
}

/** Describes the state of the name field in one sentence for screen readers. */
export function screenReaderMessage({ address, rules, answer }: NameState): string {
  if (address === '') return '';
  const broken = rules.filter(({ state }) => state === 'broken').map(({ words }) => words);
  if (broken.length === 1) return $localize`The address breaks a rule: ${broken[0]}:rule:.`;
  if (broken.length > 1) {
    return $localize`The address breaks ${broken.length}:count: rules: ${broken.join('. ')}:rules:.`;
  }
  if (answer?.available) return $localize`The address ${address}:address: is free.`;
  if (answer?.reason === 'taken') return $localize`The address ${address}:address: is taken.`;
  return $localize`The address is ${address}:address:.`;
}
