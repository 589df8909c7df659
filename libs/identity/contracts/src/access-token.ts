/** What an organization token may do. */
export const ORGANIZATION_SCOPES = [
  'apps:read',
  'apps:write',
  'deploys:write',
  'environment:write',
  'logs:read',
  'domains:write',
  'usage:read',
  'usage:write',
] as const;
export type OrganizationScope = (typeof ORGANIZATION_SCOPES)[number];

/** What a personal token may do, in the workspace of its person. */
export const PERSONAL_SCOPES = ['files:read', 'files:write'] as const;
export type PersonalScope = (typeof PERSONAL_SCOPES)[number];

export type TokenScope = OrganizationScope | PersonalScope;
export type TokenKind = 'organization' | 'personal';

/** A token without its secret: an item of `GET /api/tokens` and `GET /api/me/tokens`. */
export interface AccessToken {
  readonly id: string;
  readonly name: string;
  readonly kind: TokenKind;
  readonly scopes: readonly TokenScope[];
  /** The only app that an organization token can use; null for all apps. */
  readonly app_id?: string | null;
  /** The only folder that a personal token can use; null for the whole workspace. */
  readonly prefix?: string | null;
  /** RFC 3339; null when the token never expires. */
  readonly expires_at: string | null;
  /** RFC 3339. */
  readonly created_at: string;
  /** Subject of the person who created it. */
  readonly created_by: string;
  /** RFC 3339; null when it was never used. */
  readonly last_used_at: string | null;
}

export interface AccessTokenList {
  readonly items: readonly AccessToken[];
  readonly next_cursor: string | null;
}

/** The response to a creation, the only one with the secret. */
export interface CreatedAccessToken extends AccessToken {
  readonly token: string;
}

/** The body of `POST /api/tokens` and `POST /api/me/tokens`. */
export interface CreateAccessToken {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly app_id?: string;
  readonly prefix?: string;
  readonly expires_at?: string;
}
