/** Pipelines with matching claims deploy the app without a stored secret: an item of `GET /api/apps/{id}/trusts`. */
export interface Trust {
  readonly id: string;
  /** `github`, `gitlab`, or the https URL of another OpenID provider. */
  readonly issuer: string;
  /** Each claim of the pipeline's token must match exactly, or up to one `*` at the end. */
  readonly claims: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
  /** RFC 3339. */
  readonly created_at: string;
}

export interface TrustList {
  readonly items: readonly Trust[];
}

/** The body of `POST /api/apps/{id}/trusts`. */
export type CreateTrust = Pick<Trust, 'issuer' | 'claims' | 'scopes'>;
