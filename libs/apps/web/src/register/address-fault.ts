import {
  MAX_SUBDOMAIN_LENGTH,
  MIN_SUBDOMAIN_LENGTH,
  RESERVED_SUBDOMAINS,
  subdomainFrom,
  type SubdomainFault,
} from '@homeport/apps/contracts';

/** Why a name yields no address. */
export interface AddressFault {
  /** One or two sentences: what to change. */
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
  return { words: faultMessage(fault, subdomain), isIncomplete };
}

export function reservedMessage(subdomain: string): string {
  return $localize`“${subdomain}:subdomain:” is reserved. Try another name.`;
}

export function takenMessage(subdomain: string): string {
  return $localize`“${subdomain}:subdomain:” is taken. Try another name.`;
}

function faultMessage(fault: SubdomainFault, subdomain: string): string {
  switch (fault) {
    case 'length':
      return subdomain.length < MIN_SUBDOMAIN_LENGTH
        ? $localize`Use at least ${MIN_SUBDOMAIN_LENGTH}:count: characters.`
        : $localize`Use at most ${MAX_SUBDOMAIN_LENGTH}:count: characters.`;
    case 'characters':
      return $localize`Use only the letters a to z, digits and hyphens.`;
    case 'hyphen-at-edge':
      return $localize`Begin and end with a letter or a digit.`;
    case 'punycode':
      return $localize`Two hyphens cannot be the third and fourth character.`;
    case 'reserved':
      return reservedMessage(subdomain);
  }
}
