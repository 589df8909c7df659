import type { Actor, Scope, TokenGrant } from '@homeport/identity/contracts';

/** Who manages a token: all members of an organization, or one person. */
export type TokenOwner =
  | { readonly kind: 'organization'; readonly organization: string }
  | { readonly kind: 'personal'; readonly issuer: string; readonly subject: string };

/** A token as it is stored. The secret is not: only its hash. */
export interface TokenRecord {
  readonly id: string;
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
  readonly kind: TokenGrant['kind'];
  readonly name: string;
  /** Absent for a personal token of a person without an organization. */
  readonly organization: string | undefined;
  /** The person who created the token; for `ci`, the issuer and the subject of the pipeline. */
  readonly issuer: string;
  readonly subject: string;
  /** The display name of the person who created it. */
  readonly createdBy: string;
  readonly scopes: readonly Scope[];
  readonly appId: string | undefined;
  /** Ends with `/`. */
  readonly prefix: string | undefined;
  /** The trust that admitted the pipeline. */
  readonly trustId: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  /** Exact to `USE_INTERVAL_MS`. */
  readonly lastUsedAt: Date | undefined;
}

/** The issuer of the actors of organization tokens and pipelines. No identity service can have this name. */
const TOKEN_ISSUER = 'urn:homeport:tokens';

/** The actor that a token stands for: its person for a personal token, and otherwise the token or the pipeline. */
export function actorOfToken(token: TokenRecord): Actor {
  const grant: TokenGrant = {
    kind: token.kind,
    id: token.trustId ?? token.id,
    scopes: token.scopes,
    ...(token.appId !== undefined && { appId: token.appId }),
    ...(token.prefix !== undefined && { prefix: token.prefix }),
  };
  const organization = token.organization === undefined ? {} : { organization: token.organization };
  if (token.kind === 'personal') return { issuer: token.issuer, subject: token.subject, ...organization, grant };
  const subject = `${token.kind === 'ci' ? 'ci' : 'token'}:${grant.id}`;
  return { issuer: TOKEN_ISSUER, subject, name: token.name, ...organization, grant };
}

export function isExpired({ expiresAt }: Pick<TokenRecord, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && expiresAt.getTime() <= now;
}
