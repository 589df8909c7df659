/** The names nobody may register, whatever the configuration adds. */
export const RESERVED_SUBDOMAINS = ['api', 'www', 'admin', 'app', 'dashboard'] as const;

export const MIN_SUBDOMAIN_LENGTH = 3;
export const MAX_SUBDOMAIN_LENGTH = 63;

/** Which rule a name breaks; the values name rules, for forms that show them one by one. */
export const SUBDOMAIN_FAULTS = ['length', 'characters', 'hyphen-at-edge', 'punycode', 'reserved'] as const;
export type SubdomainFault = (typeof SUBDOMAIN_FAULTS)[number];

export type DerivedSubdomain =
  | { readonly subdomain: string; readonly fault?: undefined }
  | { readonly subdomain: string; readonly fault: SubdomainFault };

/**
 * The subdomain a name becomes, and the first rule it breaks, if any. Only U+0020 is a space, and only ASCII letters
 * are lower-cased: "K" (Kelvin sign) stays itself and is refused, it never becomes "k".
 * @param reserved names closed by configuration, besides the five that always are.
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
