import { randomBytes } from 'node:crypto';
import { discoverJwksUri, fetchBoundedJson, ISSUER_LIMITS, OpenIdIdentityProvider } from '@homeport/identity/server';
import { causeCodeOf } from '@homeport/platform/server/observability';
import type { Config } from '../config';
import { openIdOptions } from '../sign-in-adapters';
import { type Check, type Explanation, fault, type Finding, ok, warning } from './check';
import { networkExplanation, unknownFailure } from './network-failures';
import { algorithmsOf } from './signing-algorithms';

/** A sign-in that no browser started. */
const SIGN_IN_ATTEMPT = { state: random(), nonce: random(), codeVerifier: random(), returnTo: '/' };

function random(): string {
  return randomBytes(32).toString('base64url');
}

export function identityChecks(config: Config): readonly Check[] {
  const explain = (code: string) => explainIdentity(code, config);
  const keys: Check = {
    name: 'identity-keys',
    needs: config.AUTH_JWKS_URI === undefined ? ['identity'] : [],
    explain: (code) => explainKeys(code, config),
    run: () => checkKeys(config),
  };
  const discovery: Check = {
    name: 'identity',
    explain,
    run: async () => {
      await discoverJwksUri(config.AUTH_ISSUER);
      return ok(`The discovery document belongs to the issuer ${config.AUTH_ISSUER}.`);
    },
  };
  if (config.AUTH_CLIENT_ID === undefined) return config.AUTH_JWKS_URI === undefined ? [discovery, keys] : [keys];
  const provider = new OpenIdIdentityProvider(openIdOptions(config, config.AUTH_CLIENT_ID));
  return [
    discovery,
    keys,
    { name: 'identity-client', needs: ['identity'], explain, run: () => checkClient(config, provider) },
    {
      name: 'identity-redirect',
      needs: ['identity'],
      explain,
      run: (signal) => checkRedirect(config, provider, signal),
    },
  ];
}

async function checkKeys(config: Config): Promise<Finding> {
  const url = config.AUTH_JWKS_URI ?? (await discoverJwksUri(config.AUTH_ISSUER));
  const keys = await fetchKeys(url).catch((error: unknown) => {
    if (config.AUTH_JWKS_URI !== undefined) throw error;
    return causeCodeOf(error);
  });
  if (typeof keys === 'string') {
    return fault(
      `The identity service publishes no keys at ${url}, the jwks_uri of its discovery document (${keys}).`,
      'Correct that address in the identity service, or set AUTH_JWKS_URI to the address of the keys.',
    );
  }
  const found = [...new Set(keys.flatMap(algorithmsOf))].toSorted();
  if (found.some((algorithm) => config.AUTH_ALGORITHMS.includes(algorithm))) {
    return ok(`The issuer publishes ${keys.length} keys, for ${found.join(', ')}.`);
  }
  const accepted = config.AUTH_ALGORITHMS.join(', ');
  return found.length === 0
    ? fault('The issuer publishes no key that signs tokens.', 'Let it sign access tokens with RS256 or ES256.')
    : fault(
        `The issuer signs with ${found.join(', ')}, and AUTH_ALGORITHMS accepts ${accepted}.`,
        `Set AUTH_ALGORITHMS to the algorithm of its access tokens, or let it sign with ${accepted}.`,
      );
}

async function fetchKeys(url: string): Promise<readonly unknown[]> {
  const document = (await fetchBoundedJson(url, ISSUER_LIMITS)) as { readonly keys?: unknown } | null;
  return Array.isArray(document?.keys) ? document.keys : [];
}

/** Redeems a code that does not exist: a service that knows the client and its secret rejects the code alone. */
async function checkClient(config: Config, provider: OpenIdIdentityProvider): Promise<Finding> {
  const callback = new URL(`${config.publicUrl}/auth/callback`);
  const parameters = { code: random(), state: SIGN_IN_ATTEMPT.state, iss: config.AUTH_ISSUER };
  callback.search = new URLSearchParams(parameters).toString();
  const code = await provider.redeem(callback, SIGN_IN_ATTEMPT).then(
    () => 'none',
    (error: unknown) => causeCodeOf(error),
  );
  if (code === 'invalid_grant') return ok(`The identity service accepts the client ${config.AUTH_CLIENT_ID}.`);
  return { status: 'fault', ...explainIdentity(code, config) };
}

/** Starts a sign-in without a page: the answer leads back to this product, with an error or a code. */
async function checkRedirect(config: Config, provider: OpenIdIdentityProvider, signal: AbortSignal): Promise<Finding> {
  const redirectUri = `${config.publicUrl}/auth/callback`;
  const [{ params } = { params: {} }] = config.AUTH_PROVIDERS;
  const url = await provider.authorizationUrl(SIGN_IN_ATTEMPT, { ...params, prompt: 'none' });
  const { status, headers } = await fetch(url, { redirect: 'manual', signal });
  const location = new URL(headers.get('location') ?? '/', url);
  const error = location.searchParams.get('error');
  if (status >= 400 || (error === 'redirect_mismatch' && !location.href.startsWith(redirectUri))) {
    return fault(
      `The identity service does not send people of the client ${config.AUTH_CLIENT_ID} to ${redirectUri}.`,
      `Add ${redirectUri} to the redirect addresses of the client, or correct PUBLIC_URL.`,
    );
  }
  const scopes = 'Correct AUTH_SCOPES, or allow them to the client.';
  if (error === 'invalid_scope') return fault(`The identity service rejects a scope of AUTH_SCOPES.`, scopes);
  if (error === 'unauthorized_client' || error === 'unsupported_response_type') {
    const remedy = 'Allow the authorization code flow with PKCE to the client.';
    return fault(`The client ${config.AUTH_CLIENT_ID} may not sign people in (${error}).`, remedy);
  }
  if (status < 300 || location.href.startsWith(redirectUri))
    return ok(`The redirect address ${redirectUri} is accepted.`);
  return warning(
    `The identity service shows a page of ${location.host}, so that the redirect address ${redirectUri} could not be checked.`,
    'Sign in once with a browser.',
  );
}

function issuerHost({ AUTH_ISSUER }: Pick<Config, 'AUTH_ISSUER'>): string {
  return `The identity service at ${new URL(AUTH_ISSUER).host}`;
}

function explainKeys(code: string, config: Config): Explanation {
  if (config.AUTH_JWKS_URI === undefined) return explainIdentity(code, config);
  const service = `The server of the keys at ${new URL(config.AUTH_JWKS_URI).host}`;
  const remedy = 'Correct AUTH_JWKS_URI, or leave it unset: the discovery document names it.';
  if (/^HTTP_\d+$|^SyntaxError$/.test(code)) return { detail: `${service} returns no keys (${code}).`, remedy };
  return networkExplanation(code, service, 'AUTH_JWKS_URI') ?? unknownFailure(code, service, 'AUTH_JWKS_URI');
}

export function explainIdentity(code: string, config: Config): Explanation {
  const { AUTH_ISSUER: issuer, AUTH_CLIENT_ID: client = '' } = config;
  const service = issuerHost(config);
  const known: Readonly<Record<string, Explanation>> = {
    ISSUER_MISMATCH: {
      detail: `${service} has another issuer than ${issuer} (ISSUER_MISMATCH).`,
      remedy: `Set AUTH_ISSUER to the value of issuer in ${issuer.replace(/\/$/, '')}/.well-known/openid-configuration, character by character; a slash at the end counts.`,
    },
    UNSAFE_KEY_SET: {
      detail: `${service} names an address of its keys that is not https.`,
      remedy: 'Let the service use https, or set AUTH_JWKS_URI.',
    },
    invalid_client: {
      detail: `${service} rejects the client ${client} or its secret (invalid_client).`,
      remedy: 'Correct AUTH_CLIENT_ID and AUTH_CLIENT_SECRET, and let the client send its secret in the body.',
    },
    unauthorized_client: {
      detail: `The client ${client} may not use the authorization code flow (unauthorized_client).`,
      remedy: 'Allow the authorization code flow with PKCE to the client, or correct AUTH_CLIENT_ID.',
    },
  };
  if (/^HTTP_\d+$|^SyntaxError$/.test(code)) {
    const remedy = 'Correct AUTH_ISSUER: it is the address of the issuer without /.well-known/openid-configuration.';
    return { detail: `${service} has no discovery document for ${issuer} (${code}).`, remedy };
  }
  return (
    known[code] ?? networkExplanation(code, service, 'AUTH_ISSUER') ?? unknownFailure(code, service, 'AUTH_ISSUER')
  );
}
