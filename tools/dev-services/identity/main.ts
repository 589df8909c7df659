import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { hasCode, SetupFailed } from '../errors.ts';
import { loadOrCreate } from '../private-file.ts';
import { runServiceProcess } from '../service-process.ts';
import { CLI_CLIENT_ID, startIdentity } from './index.ts';
import type { IdentityOptions, RunningIdentity } from './index.ts';

type Settings = IdentityOptions & { readonly port: number };
interface StandaloneServer extends RunningIdentity {
  readonly settings: Settings;
}

const { env } = process;
const supervised = process.send !== undefined;
const clientFile = z.object({ client_secret: z.string().min(1) });

async function readSettings(): Promise<Settings> {
  const dataDir = join(env['DATA_DIR'] || '.data', 'identity');
  const publicUrl = (env['PUBLIC_URL'] || 'http://localhost:3000').replace(/\/+$/, '');
  if (!/^https?:/.test(publicUrl) || !URL.canParse(publicUrl)) {
    throw new SetupFailed(`PUBLIC_URL is not an address: ${publicUrl}`);
  }
  return {
    dataDir,
    port: portFrom(env['IDENTITY_PORT'] || '4400'),
    clientId: env['AUTH_CLIENT_ID'] || 'homeport-web',
    clientSecret: env['AUTH_CLIENT_SECRET'] || (await ownClientSecret(dataDir)),
    redirectUris: [`${publicUrl}/auth/callback`],
    postLogoutRedirectUris: [`${publicUrl}/login`],
    audience: env['AUTH_AUDIENCE'] || 'https://api.homeport.localhost',
  };
}

function portFrom(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new SetupFailed(`IDENTITY_PORT is not a port: ${text}`);
  return port;
}

async function ownClientSecret(dataDir: string): Promise<string> {
  const create = () => ({ client_secret: randomBytes(32).toString('base64url') });
  return (await loadOrCreate(join(dataDir, 'client.json'), clientFile, create)).client_secret;
}

async function start(): Promise<StandaloneServer> {
  const settings = await readSettings();
  try {
    return { ...(await startIdentity(settings)), settings };
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    throw new SetupFailed(`port ${settings.port} is in use; set IDENTITY_PORT`);
  }
}

/** A supervisor passes all settings to the API; a person sees who can sign in (without a password). */
function addresses({ port, issuer, providers, people, settings }: StandaloneServer): Record<string, unknown> {
  const { audience, clientId, clientSecret } = settings;
  if (supervised)
    return { port, issuer, audience, clientId, clientSecret, cliClientId: CLI_CLIENT_ID, providers, people };
  const labels = new Map(providers.map(({ id, label }) => [id, label]));
  const signIns = people.map(({ name, email, provider, organization }): [string, string] => [
    name,
    `${email} with ${labels.get(provider)}, ${organization ?? 'no organization'}`,
  ]);
  return { issuer, ...Object.fromEntries(signIns) };
}

runServiceProcess({ name: 'identity', env, start, addresses });
