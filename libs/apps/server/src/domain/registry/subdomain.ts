import { subdomainFrom } from '@homeport/apps/contracts';
import { SubdomainInvalid, SubdomainReserved } from './apps.errors';

declare const brand: unique symbol;

/** A label that may stand under the platform domain: the rules hold and it is not reserved. */
export type Subdomain = string & { readonly [brand]: true };

/**
 * The subdomain of a name.
 * @param reserved labels closed by configuration, besides the five that always are.
 * @throws {SubdomainInvalid} @throws {SubdomainReserved}
 */
export function parseSubdomain(name: string, reserved: readonly string[]): Subdomain {
  const { subdomain, fault } = subdomainFrom(name, reserved);
  if (fault === 'reserved') throw new SubdomainReserved(subdomain);
  if (fault !== undefined) throw new SubdomainInvalid(fault);
  return subdomain as Subdomain;
}
