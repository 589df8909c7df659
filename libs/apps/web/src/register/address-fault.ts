import {
  MAX_SUBDOMAIN_LENGTH,
  MIN_SUBDOMAIN_LENGTH,
  RESERVED_SUBDOMAINS,
  subdomainFrom,
  type SubdomainFault,
} from '@homeport/apps/contracts';
import { addressSuggestion } from './address-suggestion';

/** Why a name yields no address. */
export interface AddressFault {
  /** One or two sentences: what to change, and a name that works if there is a similar one. */
  readonly words: string;
  /** Whether the name is only too short so far, as every name is while it is typed. */
  readonly isIncomplete: boolean;
}

/**
 * Explains the rule that a name breaks.
 * @param reserved the reserved names according to the API.
 * @returns undefined for a name that yields an address, and while there is no name.
 */
export function addressFault(
  name: string,
  reserved: readonly string[] = RESERVED_SUBDOMAINS,
): AddressFault | undefined {
  const { subdomain, fault } = subdomainFrom(name, reserved);
  if (subdomain === '' || fault === undefined) return undefined;
  const isIncomplete = fault === 'length' && subdomain.length < MIN_SUBDOMAIN_LENGTH;
  return { words: faultMessage(fault, subdomain, addressSuggestion(name, reserved)), isIncomplete };
}

export function reservedMessage(subdomain: string): string {
  return $localize`“${subdomain}:subdomain:” is reserved. Try another name.`;
}

export function takenMessage(subdomain: string): string {
  return $localize`“${subdomain}:subdomain:” is taken. Try another name.`;
}

function faultMessage(fault: SubdomainFault, subdomain: string, suggestion: string | undefined): string {
  switch (fault) {
    case 'length':
      return subdomain.length < MIN_SUBDOMAIN_LENGTH
        ? $localize`Use at least ${MIN_SUBDOMAIN_LENGTH}:count: characters.`
        : $localize`Use at most ${MAX_SUBDOMAIN_LENGTH}:count: characters.`;
    case 'characters':
      return suggestion === undefined
        ? $localize`Use only the letters a to z, digits and hyphens.`
        : $localize`Use only the letters a to z, digits and hyphens. Try “${suggestion}:suggestion:”.`;
    case 'hyphen-at-edge':
      return suggestion === undefined
        ? $localize`Begin and end with a letter or a digit.`
        : $localize`Begin and end with a letter or a digit. Try “${suggestion}:suggestion:”.`;
    case 'punycode':
      return suggestion === undefined
        ? $localize`Two hyphens cannot be the third and fourth character.`
        : $localize`Two hyphens cannot be the third and fourth character. Try “${suggestion}:suggestion:”.`;
    case 'reserved':
      return reservedMessage(subdomain);
  }
}
