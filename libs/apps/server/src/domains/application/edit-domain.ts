import { domainToASCII } from 'node:url';
import type { Domain } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { InvalidRequest } from '@homeport/kernel';
import type { AppsRepositories, AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { DomainClaim } from '../domain/domain-claim';
import { DomainNotFound } from '../domain/domains.errors';
import { changeClaim } from './change-claim';
import type { DomainClaimRecord } from './domain-claim-repository.port';
import { domainEvent } from './domain-event';
import type { DomainPresenter } from './domain-presenter';

/** Absent values stay as they are. */
export interface DomainChange {
  readonly isPrimary?: boolean;
  /** Null serves the app at the name. */
  readonly redirectTo?: string | null;
  readonly hsts?: boolean;
}

export interface EditDomainDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly hostnames: HostnamePolicy;
  readonly presenter: DomainPresenter;
  readonly needsCertificate: boolean;
  readonly now?: () => Date;
}

/** Changes and removes domains of an organization. */
export class EditDomain {
  constructor(private readonly dependencies: EditDomainDependencies) {}

  /** @throws {DomainNotFound} @throws {InvalidRequest} for a redirect to a name that is not one of the app. */
  async change(member: Member, id: string, requested: DomainChange): Promise<Domain> {
    const change = withAsciiTarget(requested);
    const changed = await this.dependencies.unitOfWork.run(async (repositories) => {
      const claim = await findLocked(repositories, member, id);
      const siblings = await siblingsOf(repositories, claim);
      if (typeof change.redirectTo === 'string')
        await this.#assertTarget(repositories, claim, siblings, change.redirectTo);
      const { isPrimary = claim.isPrimary, redirectTo = claim.redirectTo ?? null, hsts = claim.hsts } = change;
      const next = { isPrimary, redirectTo: redirectTo ?? undefined, hsts };
      if (next.isPrimary && next.redirectTo !== undefined) throw redirectingPrimary();
      // One primary name for each app, and one primary base for all apps.
      for (const other of siblings) {
        if (next.isPrimary && other.isPrimary) await repositories.domainClaims.change(other.id, { isPrimary: false });
      }
      await repositories.domainClaims.change(claim.id, next);
      await repositories.audit.record(domainEvent(member, 'apps.domain-changed', claim));
      return { ...claim, ...next };
    });
    return this.dependencies.presenter.present(changed);
  }

  /** @throws {DomainNotFound} */
  async remove(member: Member, id: string): Promise<void> {
    const { needsCertificate, unitOfWork } = this.dependencies;
    const now = this.dependencies.now?.() ?? new Date();
    await unitOfWork.run(async (repositories) => {
      const claim = await findLocked(repositories, member, id);
      const changes = new DomainClaim(claim, needsCertificate).release(now);
      await changeClaim(repositories, claim, { changes, needsCertificate, now });
      await repositories.audit.record(domainEvent(member, 'apps.domain-removed', claim));
    });
  }

  async #assertTarget(
    { apps }: AppsRepositories,
    claim: DomainClaimRecord,
    siblings: readonly DomainClaimRecord[],
    target: string,
  ): Promise<void> {
    const app = claim.appId === undefined ? undefined : await apps.find(claim.organization, claim.appId);
    const platform = app && this.dependencies.hostnames.hostnameOf(app.subdomain);
    const own = siblings.filter(({ redirectTo }) => redirectTo === undefined).map(({ name }) => String(name));
    if (target !== platform && !own.includes(target)) {
      const reason = 'It must be another name of the same app that does not redirect.';
      throw new InvalidRequest('The redirect is invalid.', [{ field: 'redirect_to', reason }]);
    }
  }
}

/** The other domains that serve the same: host names of the app, or base domains. */
async function siblingsOf(
  { domainClaims }: AppsRepositories,
  { id, kind, appId, organization }: DomainClaimRecord,
): Promise<readonly DomainClaimRecord[]> {
  const claims = await domainClaims.list(organization, appId);
  return claims.filter((other) => other.id !== id && other.kind === kind && other.appId === appId);
}

async function findLocked({ domainClaims }: AppsRepositories, { organization }: Member, id: string) {
  const found = await domainClaims.find(organization, id);
  if (!found) throw new DomainNotFound();
  await domainClaims.lockRelated(found);
  await domainClaims.lockOrganization(organization);
  const claim = await domainClaims.find(organization, id);
  if (!claim) throw new DomainNotFound();
  return claim;
}

/** With the target in the form of stored names. An invalid one becomes the empty text, which no app has. */
function withAsciiTarget(change: DomainChange): DomainChange {
  return typeof change.redirectTo === 'string' ? { ...change, redirectTo: domainToASCII(change.redirectTo) } : change;
}

function redirectingPrimary(): InvalidRequest {
  const reason = 'The primary name shows the app, so that it cannot redirect.';
  return new InvalidRequest('The redirect is invalid.', [{ field: 'redirect_to', reason }]);
}
