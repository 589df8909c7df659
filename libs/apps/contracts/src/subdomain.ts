/** Names that are always reserved. The configuration can reserve more. */
export const RESERVED_SUBDOMAINS = ['api', 'www', 'admin', 'app', 'dashboard'] as const;

export const MIN_SUBDOMAIN_LENGTH = 3;
export const MAX_SUBDOMAIN_LENGTH = 63;

/** The rules for a name. Forms show them one by one. */
export const SUBDOMAIN_FAULTS = ['length', 'characters', 'hyphen-at-edge', 'punycode', 'reserved'] as const;
export type SubdomainFault = (typeof SUBDOMAIN_FAULTS)[number];

export type DerivedSubdomain =
  | { readonly subdomain: string; readonly fault?: undefined }
  | { readonly subdomain: string; readonly fault: SubdomainFault };

/**
 * Derives the subdomain from a name. Only U+0020 counts as a space, and only ASCII letters are lower-cased: "K" (Kelvin
 * sign) does not become "k" and is rejected.
 * @param reserved names that the configuration reserves, in addition to the five that always are.
 * @returns the subdomain, and the first rule that it breaks, if any.
 */
export function subdomainFrom(name: string, reserved: readonly string[] = []): DerivedSubdomain {
  const subdomain = name
    .split(' ')
    .filter((word) => word !== '')
    .join('-')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const fault = faultOf(subdomain, reserved);
  return fault ? { subdomain, fault } : { subdomain };
}

function faultOf(subdomain: string, reserved: readonly string[]): SubdomainFault | undefined {
  if (!/^[a-z0-9-]*$/.test(subdomain)) return 'characters';
  if (subdomain.length < MIN_SUBDOMAIN_LENGTH || subdomain.length > MAX_SUBDOMAIN_LENGTH) return 'length';
  if (subdomain.startsWith('-') || subdomain.endsWith('-')) return 'hyphen-at-edge';
  if (subdomain.slice(2, 4) === '--') return 'punycode';
  if ([...RESERVED_SUBDOMAINS, ...reserved].includes(subdomain)) return 'reserved';
  return undefined;
}
