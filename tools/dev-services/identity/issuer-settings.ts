import type { Configuration, JWKS, KoaContextWithOIDC } from 'oidc-provider';
import type { DocumentStore } from './document-store.ts';
import { fileAdapter } from './file-adapter.ts';
import { problemPage } from './pages.ts';
import { problemOf } from './problems.ts';

export const DAY = 24 * 3600;
export const INTERACTION_SECONDS = 600;

export interface IssuerSettings {
  /** Separates the cookies and stored entries of this issuer from those of others. */
  readonly name: string;
  readonly port: number;
  readonly keys: JWKS;
  readonly store: DocumentStore;
  /** The URL at which a person restarts the sign-in. */
  readonly signInUrl: string | undefined;
}

/** The configuration that all issuers share. */
export function commonConfiguration(settings: IssuerSettings): Configuration {
  // Browsers send a host's cookies to all of its ports, so names must differ between issuers and between checkouts.
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

/** Disables features whose defaults would add unused endpoints or parameters. */
export const UNUSED_FEATURES = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  // Access tokens are for the API, so the userinfo endpoint would refuse them; the ID token has the profile.
  userinfo: { enabled: false },
} as const;

export function showPage(ctx: KoaContextWithOIDC, body: string): void {
  ctx.type = 'html';
  ctx.body = body;
}
