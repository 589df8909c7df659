import type { SubdomainAvailability } from '@homeport/apps/contracts';
import { takenMessage } from './address-fault';

/** The state of the name field. */
export interface NameState {
  /** Empty while there is no name. */
  readonly address: string;
  /** Why the name cannot be registered, if it cannot. */
  readonly fault: string | undefined;
  readonly answer: SubdomainAvailability | undefined;
}

/** Describes the state of the name field in one sentence for screen readers. */
export function screenReaderMessage({ address, fault, answer }: NameState): string {
  if (fault !== undefined) return fault;
  if (address === '') return '';
  if (answer?.available) return $localize`The address ${address}:address: is free.`;
  if (answer?.reason === 'taken') return takenMessage(answer.subdomain);
  return $localize`The address is ${address}:address:.`;
}
