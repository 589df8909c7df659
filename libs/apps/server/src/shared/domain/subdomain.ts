import { subdomainFrom } from '@homeport/apps/contracts';
import { SubdomainInvalid, SubdomainReserved } from '../../registry/domain/apps.errors';

declare const brand: unique symbol;

/** A valid label below the platform domain: it follows the rules and is not reserved. */
export type Subdomain = string & { readonly [brand]: true };

/**
 * Derives the subdomain from a name.
 * @param reserved labels that the configuration reserves, in addition to the five that always are.
 * @throws {SubdomainInvalid} @throws {SubdomainReserved}
 */
export function parseSubdomain(name: string, reserved: readonly string[]): Subdomain {
  const { subdomain, fault } = subdomainFrom(name, reserved);
  if (fault === 'reserved') throw new SubdomainReserved(subdomain);
  if (fault !== undefined) throw new SubdomainInvalid(fault);
  return subdomain as Subdomain;
}
