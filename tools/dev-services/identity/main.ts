import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { hasCode } from './error-code.ts';
import { startIdentity } from './index.ts';
import type { IdentityOptions, RunningIdentity } from './index.ts';
import { loadOrCreate } from './private-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Settings = IdentityOptions & { readonly port: number };

const clientFile = z.object({ client_secret: z.string().min(1) });

async function readSettings(environment: Environment): Promise<Settings> {
  if (environment['NODE_ENV'] === 'production') {
    throw new Error('the development identity service does not run in production');
  }
  const setting = (name: string, unset: string) => environment[name] || unset;
  const dataDir = join(setting('DATA_DIR', '.data'), 'identity');
  const publicUrl = setting('PUBLIC_URL', 'http://localhost:3000').replace(/\/+$/, '');
  if (!/^https?:/.test(publicUrl) || !URL.canParse(publicUrl))
    throw new Error(`PUBLIC_URL is not an address: ${publicUrl}`);
  return {
    dataDir,
    port: portFrom(setting('IDENTITY_PORT', '4400')),
    clientId: setting('AUTH_CLIENT_ID', 'homeport-web'),
    clientSecret: environment['AUTH_CLIENT_SECRET'] || (await ownClientSecret(dataDir)),
    redirectUris: [`${publicUrl}/auth/callback`],
    postLogoutRedirectUris: [`${publicUrl}/login`],
    audience: setting('AUTH_AUDIENCE', 'https://api.homeport.localhost'),
  };
}

function portFrom(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`IDENTITY_PORT is not a port: ${text}`);
  return port;
}

async function ownClientSecret(dataDir: string): Promise<string> {
  const create = async () => ({ client_secret: randomBytes(32).toString('base64url') });
  return (await loadOrCreate(join(dataDir, 'client.json'), clientFile, create)).client_secret;
}

function announce({ port, issuer, providers, people }: RunningIdentity, settings: Settings): void {
  const { audience, clientId, clientSecret } = settings;
  if (process.send) {
    process.send({ type: 'ready', port, issuer, audience, clientId, clientSecret, providers, people });
    return;
  }
  const lines = people.map((person) => {
    const provider = providers.find(({ id }) => id === person.provider)?.label;
    return `  ${person.name} <${person.email}> with ${provider}, ${person.organization ?? 'no organization'}`;
  });
  console.log([`Identity service: ${issuer}`, 'Who can sign in (no password):', ...lines].join('\n'));
}

function describe(error: unknown, port: string): string {
  if (hasCode(error, 'EADDRINUSE')) return `port ${port} is in use; set IDENTITY_PORT`;
  return error instanceof Error ? error.message : String(error);
}

async function run(): Promise<void> {
  const settings = await readSettings(process.env);
  const identity = await startIdentity(settings);
  const end = () => identity.close().then(() => process.exit(0), fail);
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  process.once('disconnect', end);
  // A parent that went away while we were starting is not reported any more.
  if (process.send && !process.connected) return end();
  announce(identity, settings);
}

function fail(error: unknown): void {
  const message = describe(error, process.env['IDENTITY_PORT'] || '4400');
  if (!process.send) {
    console.error(message);
    process.exit(1);
  }
  process.send({ type: 'failed', message }, () => process.exit(1));
}

run().catch(fail);
