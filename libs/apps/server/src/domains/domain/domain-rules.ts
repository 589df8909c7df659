import { parse } from 'tldts';
import { type DomainName, isAtOrBelow } from './domain-name';
import { DomainPublicSuffix, DomainReserved } from './domains.errors';

/** Names that no certificate authority and no public name server knows (RFC 6761, RFC 7686, RFC 8375). */
const SPECIAL_USE = ['localhost', 'local', 'invalid', 'onion', 'arpa'] as const;

/** Which names organizations can add. */
export class DomainRules {
  /** @param own the platform domain, the hosts of the product and of the content delivery network. */
  constructor(private readonly own: readonly string[]) {}

  /** @throws {DomainPublicSuffix} @throws {DomainReserved} */
  assertAllowed(name: DomainName): void {
    if (SPECIAL_USE.some((special) => isAtOrBelow(name, special))) throw new DomainReserved(name);
    if (this.own.some((own) => isAtOrBelow(name, own) || isAtOrBelow(own, name))) throw new DomainReserved(name);
    if (registrableDomainOf(name) === undefined) throw new DomainPublicSuffix(name);
  }
}

/** The domain whose claims are verified one after the other. */
export function registrableDomainOrName(name: string): string {
  return registrableDomainOf(name) ?? name;
}

/**
 * The domain that its owner registered, such as `example.co.uk` for `www.example.co.uk`.
 * @returns undefined for a public suffix, private ones such as `github.io` included.
 */
export function registrableDomainOf(name: string): string | undefined {
  return parse(name, { allowPrivateDomains: true }).domain ?? undefined;
}
