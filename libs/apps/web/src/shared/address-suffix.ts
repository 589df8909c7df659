import type { Domain, Hosting } from '@homeport/apps/contracts';

type HostingDomain = Pick<Hosting, 'domain'>;
type OwnDomain = Pick<Domain, 'kind' | 'name' | 'status' | 'is_primary'>;

/**
 * The text after every subdomain, `.apps.example.com`: of the primary base domain, else of the platform domain; empty
 * while both are unknown.
 */
export function addressSuffix(hosting: HostingDomain | undefined, domains: readonly OwnDomain[] = []): string {
  const base = domains.find(({ kind, status, is_primary }) => kind === 'base' && status === 'active' && is_primary);
  if (base) return `.${base.name}`;
  return hosting ? `.${hosting.domain}` : '';
}
