import { randomUUID } from 'node:crypto';
import { type Actor, type CreatedApiToken, displayNameOf, type Member, type Scope } from '@homeport/identity/contracts';
import { InvalidRequest } from '@homeport/kernel';
import type { AppDirectory } from '../../application/app-directory.port';
import { type Clock, SYSTEM_CLOCK } from '../../application/clock';
import type { IdentityUnitOfWork } from './identity-unit-of-work.port';
import { hashOf } from '../../domain/session-handle';
import { tokenPrefixOf } from '../domain/token-prefix';
import type { TokenOwner, TokenRecord } from '../domain/token-record';
import { newTokenSecret } from '../domain/token-secret';
import { AppMissing, TokenQuotaExceeded } from '../domain/tokens.errors';
import { presentToken } from './present-token';

/** Tokens per organization and per person, so that lists need no pages. */
export const MAX_TOKENS = 100;

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The only app that the token may use. */
  readonly appId?: string | undefined;
  /** The folder that confines a personal token. */
  readonly prefix?: string | undefined;
  readonly expiresAt?: Date | undefined;
}

export interface CreateTokenDependencies {
  readonly unitOfWork: IdentityUnitOfWork;
  readonly apps: AppDirectory;
  readonly clock?: Clock | undefined;
}

/** Creates a token of an organization or of a person. */
export class CreateToken {
  readonly #clock: Clock;

  constructor(private readonly dependencies: CreateTokenDependencies) {
    this.#clock = dependencies.clock ?? SYSTEM_CLOCK;
  }

  /** @throws {AppMissing} @throws {InvalidRequest} @throws {TokenQuotaExceeded} */
  async forOrganization(member: Member, request: NewToken): Promise<CreatedApiToken> {
    const { appId } = request;
    if (appId !== undefined && !(await this.dependencies.apps.hasApp(member.organization, appId))) {
      throw new AppMissing();
    }
    const owner = { kind: 'organization', organization: member.organization } as const;
    return this.#create(owner, member, { ...request, appId: appId?.toLowerCase() });
  }

  /** @throws {InvalidRequest} @throws {TokenQuotaExceeded} */
  forPerson(actor: Actor, request: NewToken): Promise<CreatedApiToken> {
    const prefix = request.prefix === undefined ? undefined : tokenPrefixOf(request.prefix);
    const owner = { kind: 'personal', issuer: actor.issuer, subject: actor.subject } as const;
    return this.#create(owner, actor, { ...request, prefix });
  }

  async #create(owner: TokenOwner, actor: Actor, request: NewToken): Promise<CreatedApiToken> {
    const now = this.#clock.now();
    if (request.expiresAt !== undefined && request.expiresAt.getTime() <= now) throw alreadyExpired();
    const secret = newTokenSecret();
    const token: TokenRecord = {
      id: randomUUID(),
      hash: hashOf(secret),
      kind: owner.kind,
      name: request.name.trim(),
      organization: actor.organization,
      issuer: actor.issuer,
      subject: actor.subject,
      createdBy: displayNameOf(actor),
      scopes: [...new Set(request.scopes)],
      appId: request.appId,
      prefix: request.prefix,
      trustId: undefined,
      createdAt: new Date(now),
      expiresAt: request.expiresAt,
      lastUsedAt: undefined,
    };
    await this.dependencies.unitOfWork.run(async ({ tokens, audit }) => {
      // Concurrent requests must not exceed the limit.
      await tokens.lock(owner);
      if ((await tokens.list(owner)).length >= MAX_TOKENS) throw new TokenQuotaExceeded(MAX_TOKENS);
      await tokens.add(token);
      // The audit trail belongs to organizations.
      if (token.organization === undefined) return;
      const { organization, id: target, kind, name, scopes } = token;
      const detail = { kind, name, scopes };
      await audit.record({ organization, actor, action: 'identity.token-created', target, detail });
    });
    return { ...presentToken(token), token: secret };
  }
}

function alreadyExpired(): InvalidRequest {
  const reason = 'It must be a time in the future.';
  return new InvalidRequest('The request body has invalid fields.', [{ field: 'expires_at', reason }]);
}
