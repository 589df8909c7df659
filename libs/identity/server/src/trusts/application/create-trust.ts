import { randomUUID } from 'node:crypto';
import { displayNameOf, type Member, type Scope, type Trust } from '@homeport/identity/contracts';
import type { AppDirectory } from '../../application/app-directory.port';
import { type Clock, SYSTEM_CLOCK } from '../../application/clock';
import type { IdentityUnitOfWork } from '../../tokens/application/identity-unit-of-work.port';
import { AppMissing } from '../../tokens/domain/tokens.errors';
import { parseClaimRules } from '../domain/claim-rules';
import type { IssuerRules } from '../domain/issuers';
import type { TrustRecord } from '../domain/trust-record';
import { TrustQuotaExceeded } from '../domain/trusts.errors';
import { presentTrust } from './present-trust';

/** Trusts per app, so that lists need no pages. */
export const MAX_TRUSTS = 20;

export interface NewTrust {
  /** `github`, `gitlab`, or the URL of an issuer. */
  readonly issuer: string;
  /** From the request, not checked. */
  readonly claims: unknown;
  readonly scopes: readonly Scope[];
}

export interface CreateTrustDependencies {
  readonly unitOfWork: IdentityUnitOfWork;
  readonly apps: AppDirectory;
  readonly issuers: IssuerRules;
  readonly clock?: Clock | undefined;
}

/** Permits the pipelines of an issuer to use one app. */
export class CreateTrust {
  readonly #clock: Clock;

  constructor(private readonly dependencies: CreateTrustDependencies) {
    this.#clock = dependencies.clock ?? SYSTEM_CLOCK;
  }

  /** @throws {AppMissing} @throws {InvalidRequest} @throws {TrustQuotaExceeded} */
  async execute(member: Member, app: string, request: NewTrust): Promise<Trust> {
    const { organization } = member;
    const { apps, issuers, unitOfWork } = this.dependencies;
    if (!(await apps.hasApp(organization, app))) throw new AppMissing();
    const issuer = issuers.parse(request.issuer);
    const trust: TrustRecord = {
      id: randomUUID(),
      organization,
      appId: app.toLowerCase(),
      issuer,
      claims: parseClaimRules(request.claims, issuer),
      scopes: [...new Set(request.scopes)],
      createdBy: displayNameOf(member),
      createdAt: new Date(this.#clock.now()),
      lastUsedAt: undefined,
    };
    await unitOfWork.run(async ({ trusts, audit }) => {
      // Concurrent requests must not exceed the limit.
      await trusts.lock(trust.appId);
      if ((await trusts.list(organization, trust.appId)).length >= MAX_TRUSTS) throw new TrustQuotaExceeded(MAX_TRUSTS);
      await trusts.add(trust);
      const { id: target, claims, scopes, appId } = trust;
      const detail = { app: appId, issuer, claims, scopes };
      await audit.record({ organization, actor: member, action: 'identity.trust-created', target, detail });
    });
    return presentTrust(trust);
  }
}
