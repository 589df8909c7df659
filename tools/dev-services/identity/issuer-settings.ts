import type { Configuration, JWKS, KoaContextWithOIDC } from 'oidc-provider';
import type { DocumentStore } from './document-store.ts';
import { fileAdapter } from './file-adapter.ts';
import { problemPage } from './pages.ts';
import { problemOf } from './problems.ts';

export const DAY = 24 * 3600;
export const INTERACTION_SECONDS = 600;

export interface IssuerSettings {
  /** Separates this issuer's cookies and stored entries from the other issuers'. */
  readonly name: string;
  readonly port: number;
  readonly keys: JWKS;
  readonly store: DocumentStore;
  /** Where the pages send a person who has to start again. */
  readonly signInUrl: string | undefined;
}

/** What all issuers share. */
export function commonConfiguration(settings: IssuerSettings): Configuration {
  // Browsers send a host's cookies to every port of it: two issuers, or two checkouts, must not share a name.
  const cookie = `identity_${settings.port}_${settings.name}`;
  return {
    adapter: fileAdapter(settings.store, settings.name),
    jwks: settings.keys,
    cookies: { names: { session: cookie, interaction: `${cookie}_interaction`, resume: `${cookie}_resume` } },
    clientBasedCORS: () => false,
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    renderError: (ctx, _out, error) => showPage(ctx, problemPage(problemOf(error), settings.signInUrl)),
  };
}

/** Features whose defaults would offer endpoints or parameters that nothing here needs. */
export const UNUSED_FEATURES = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  // Access tokens are for the API, which the userinfo endpoint would refuse; the ID token has the profile.
  userinfo: { enabled: false },
} as const;

export function showPage(ctx: KoaContextWithOIDC, body: string): void {
  ctx.type = 'html';
  ctx.body = body;
}
