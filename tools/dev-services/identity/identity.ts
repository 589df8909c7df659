import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { JWKS, Provider } from 'oidc-provider';
import { accountRoutes } from './account-routes.ts';
import { createBroker } from './broker.ts';
import { DocumentStore } from './document-store.ts';
import type { Route } from './exchange.ts';
import { signingKeys } from './keys.ts';
import { IDENTITY_PROVIDERS, PEOPLE } from './people.ts';
import type { IdentityProviderId, Person } from './people.ts';
import { createHandler, listen, stop } from './server.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { UpstreamClient } from './upstream-client.ts';
import { createUpstream } from './upstream.ts';

const ACCESS_TOKEN_SECONDS = 600;
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

export interface IdentityOptions {
  /** Folder for keys, sessions and tokens, readable by the owner only. */
  readonly dataDir: string;
  /** A loopback address; 127.0.0.1 by default. */
  readonly host?: string;
  /** 0, the default, picks a free port. Tokens and sessions belong to a port, because it is part of the issuer. */
  readonly port?: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  /** Pages link to the first one to restart a sign-in. */
  readonly postLogoutRedirectUris: readonly string[];
  /** `aud` of the access tokens. */
  readonly audience: string;
  /** Default: 600. */
  readonly accessTokenSeconds?: number;
}

export interface ProviderChoice {
  readonly id: string;
  readonly label: string;
  /** Authorization parameters that skip the chooser. */
  readonly params: { readonly identity_provider: string };
}

export interface RunningIdentity {
  readonly port: number;
  /** `http://localhost:{port}` */
  readonly issuer: string;
  readonly people: readonly Person[];
  readonly providers: readonly ProviderChoice[];
  close(): Promise<void>;
}

interface IssuerContext {
  readonly issuer: string;
  readonly port: number;
  readonly keys: Readonly<Record<string, JWKS>>;
  readonly store: DocumentStore;
}

/**
 * Starts the identity service for development and tests: a hosted sign-in page in front of two identity providers.
 * @throws when the port is in use (`EADDRINUSE`), or files in `dataDir` are damaged.
 */
export async function startIdentity(options: IdentityOptions): Promise<RunningIdentity> {
  const { host = '127.0.0.1' } = options;
  if (!LOOPBACK.includes(host)) throw new Error(`the identity service binds loopback only, not ${host}`);
  const keys = await loadKeys(options.dataDir);
  const store = await DocumentStore.open(join(options.dataDir, 'state.json'));
  const { server, port } = await listen(host, options.port ?? 0);
  const issuer = `http://localhost:${port}`;
  try {
    server.on('request', createRequestListener(options, { issuer, port, keys, store }));
  } catch (error) {
    await stop(server);
    throw error;
  }

  let closing: Promise<void> | undefined;
  return {
    port,
    issuer,
    people: PEOPLE,
    providers: IDENTITY_PROVIDERS.map(({ id, label }) => ({ id, label, params: { identity_provider: id } })),
    close: () => (closing ??= stop(server).then(() => store.settled())),
  };
}

async function loadKeys(dataDir: string): Promise<Record<string, JWKS>> {
  const names = ['broker', ...IDENTITY_PROVIDERS.map(({ id }) => id)];
  const entries = names.map(async (name) => {
    const keys = await signingKeys(
      join(dataDir, `keys-${name}.json`),
      name === 'broker' ? ['RS256', 'ES256'] : ['ES256'],
    );
    return [name, keys] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function createRequestListener(options: IdentityOptions, context: IssuerContext) {
  const signInUrl = options.postLogoutRedirectUris[0];
  const settings = (name: string) => ({ name, ...context, keys: context.keys[name] ?? { keys: [] }, signInUrl });
  const broker = createBroker(context.issuer, {
    ...options,
    ...settings('broker'),
    accessTokenSeconds: options.accessTokenSeconds ?? ACCESS_TOKEN_SECONDS,
  });

  const issuers = new Map<string, Provider>([['', broker]]);
  const clients = new Map<IdentityProviderId, UpstreamClient>();
  const routes: Route[] = [];
  for (const identityProvider of IDENTITY_PROVIDERS) {
    const path = `/upstream/${identityProvider.id}`;
    // Broker and upstream run in this process, so their shared secret need not be stored.
    const clientSecret = randomBytes(32).toString('base64url');
    const redirectUri = `${context.issuer}/answer/${identityProvider.id}`;
    const issuer = context.issuer + path;
    const upstream = createUpstream(issuer, {
      ...settings(identityProvider.id),
      identityProvider,
      clientSecret,
      redirectUri,
    });
    issuers.set(path, upstream);
    clients.set(
      identityProvider.id,
      new UpstreamClient({ provider: identityProvider.id, issuer, clientSecret, redirectUri }),
    );
    routes.push(...accountRoutes(upstream, identityProvider));
  }
  routes.push(...signInRoutes(broker, clients));
  const returnUris = [...options.redirectUris, ...options.postLogoutRedirectUris];
  return createHandler({ port: context.port, routes, issuers, returnUris, signInUrl });
}
