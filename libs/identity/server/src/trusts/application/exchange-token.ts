import { randomUUID } from 'node:crypto';
import type { ExchangedToken, Scope } from '@homeport/identity/contracts';
import { KeysUnavailable, TokenExpired, TokenInvalid } from '../../domain/identity.errors';
import type { AppDirectory } from '../../application/app-directory.port';
import { type Clock, SYSTEM_CLOCK } from '../../application/clock';
import type { IdentityUnitOfWork } from '../../tokens/application/identity-unit-of-work.port';
import { hashOf } from '../../domain/session-handle';
import { unverifiedIssuerOf } from '../../domain/token-policy';
import { actorOfToken, type TokenRecord } from '../../tokens/domain/token-record';
import { newTokenSecret } from '../../tokens/domain/token-secret';
import { matchesClaims } from '../domain/claim-rules';
import { ACCESS_TOKEN, type ExchangeRequest } from '../domain/exchange-request';
import { type ExchangedSubjectToken, exchangedSubjectToken } from '../domain/exchanged-subject-token';
import { ExchangeRefused, subjectTokenRefused, subjectTokenReused } from '../domain/token-exchange.errors';
import type { TrustRecord } from '../domain/trust-record';
import type { PipelineTokenVerifier } from './pipeline-token-verifier.port';
import type { TrustRepository } from './trust-repository.port';

const LIFETIME_SECONDS = 900;
const MAX_NAME_LENGTH = 200;
/**
 * How long expired tokens are remembered: access tokens, to answer `identity.token-expired`; subject tokens, because
 * the clocks of instances differ.
 */
const EXPIRED_KEPT_MS = 24 * 3_600_000;

export interface ExchangeTokenDependencies {
  readonly unitOfWork: IdentityUnitOfWork;
  readonly trusts: TrustRepository;
  readonly apps: AppDirectory;
  readonly verifier: PipelineTokenVerifier;
  readonly clock?: Clock | undefined;
}

/** Exchanges the token that an issuer signed for a pipeline for an access token of one app. */
export class ExchangeToken {
  readonly #clock: Clock;

  constructor(private readonly dependencies: ExchangeTokenDependencies) {
    this.#clock = dependencies.clock ?? SYSTEM_CLOCK;
  }

  /** @throws {ExchangeRefused} @throws {KeysUnavailable} @throws {DatabaseUnavailable} */
  async execute({ subjectToken, audience, scopes }: ExchangeRequest): Promise<ExchangedToken> {
    const { trusts, verifier, apps } = this.dependencies;
    const issuer = unverifiedIssuerOf(subjectToken);
    // The server contacts only issuers that an organization trusts for this app.
    const candidates = issuer === undefined ? [] : await trusts.findByIssuer(audience, issuer);
    if (issuer === undefined || candidates.length === 0) throw subjectTokenRefused('no trust in this issuer');
    const claims = await verifier.claimsOf(subjectToken, issuer).catch(refuseInvalidToken);
    const admitting = candidates.filter((each) => matchesClaims(each.claims, claims));
    const trust = admitting.find((each) => scopes === undefined || includesAll(each.scopes, scopes));
    if (!trust) throw admitting.length === 0 ? subjectTokenRefused('no trust admits its claims') : scopeRefused();
    if (!(await apps.hasApp(trust.organization, trust.appId))) throw subjectTokenRefused('the app was deleted');
    const granted = trust.scopes.filter((each) => scopes?.includes(each) ?? true);
    const used = exchangedSubjectToken(subjectToken, claims, trust.appId);
    const secret = await this.#issue(trust, granted, { issuer, subject: subjectOf(claims), used });
    return {
      access_token: secret,
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: LIFETIME_SECONDS,
      scope: granted.join(' '),
    };
  }

  async #issue(
    trust: TrustRecord,
    scopes: readonly Scope[],
    { used, ...pipeline }: Pick<TokenRecord, 'issuer' | 'subject'> & { readonly used: ExchangedSubjectToken },
  ): Promise<string> {
    const now = this.#clock.now();
    const secret = newTokenSecret();
    const token: TokenRecord = {
      ...pipeline,
      id: randomUUID(),
      hash: hashOf(secret),
      kind: 'ci',
      name: pipeline.subject,
      organization: trust.organization,
      createdBy: pipeline.subject,
      scopes,
      appId: trust.appId,
      prefix: undefined,
      trustId: trust.id,
      createdAt: new Date(now),
      expiresAt: new Date(now + LIFETIME_SECONDS * 1_000),
      lastUsedAt: undefined,
    };
    await this.dependencies.unitOfWork.run(async ({ tokens, trusts, audit }) => {
      // Locks the trust, so that its deletion also removes this token.
      if (!(await trusts.recordUse(trust.id, token.createdAt))) throw subjectTokenRefused('the trust was deleted');
      if (!(await trusts.recordExchange(used))) throw subjectTokenReused();
      await tokens.add(token);
      await trusts.removeExpiredExchanges(new Date(now - EXPIRED_KEPT_MS));
      await tokens.removeExpiredAccessTokens(new Date(now - EXPIRED_KEPT_MS));
      const detail = { app: trust.appId, scopes, issuer: pipeline.issuer, subject: pipeline.subject };
      const actor = actorOfToken(token);
      const { organization, id: target } = trust;
      await audit.record({ organization, actor, action: 'identity.token-exchanged', target, detail });
    });
    return secret;
  }
}

function refuseInvalidToken(error: unknown): never {
  if (error instanceof KeysUnavailable) throw error;
  if (error instanceof TokenExpired) throw subjectTokenRefused('the subject token has expired');
  if (error instanceof TokenInvalid) throw subjectTokenRefused(String(error.cause));
  throw error;
}

function includesAll(scopes: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((each) => scopes.includes(each));
}

function scopeRefused(): ExchangeRefused {
  return new ExchangeRefused('invalid_scope', 'The trust does not grant all requested scopes.');
}

/** The `sub` of the pipeline, such as `repo:acme/shop:ref:refs/heads/main`; it is shown as the author of deploys. */
function subjectOf({ sub }: Readonly<Record<string, unknown>>): string {
  const text = typeof sub === 'string' && sub !== '' ? sub : 'pipeline';
  return text.slice(0, MAX_NAME_LENGTH).replaceAll('\0', '').toWellFormed();
}
