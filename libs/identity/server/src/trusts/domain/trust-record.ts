import type { Scope } from '@homeport/identity/contracts';

/** Permission for the pipelines of an issuer to receive access tokens for one app. */
export interface TrustRecord {
  readonly id: string;
  readonly organization: string;
  readonly appId: string;
  /** `iss` of the pipelines' tokens. */
  readonly issuer: string;
  readonly claims: Readonly<Record<string, string>>;
  readonly scopes: readonly Scope[];
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | undefined;
}
