import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import aws4 from 'aws4';
import { completeSignIn, startHomeport } from '../dev-services/index.ts';

/**
 * Starts the product on embedded services in a temporary folder, without rate limits, and signs a person in.
 * @param more additional environment variables.
 */
export async function startBenchFixture(more = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'homeport-bench-'));
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    RATE_LIMIT_PER_USER: '0',
    RATE_LIMIT_PER_ADDRESS: '0',
    ...more,
  };
  const ports = { dns: 0, identity: 0, postgres: 0, s3: 0 };
  const homeport = await startHomeport({ dataDir, env, port: 0, edgePort: 0, ports });
  const settings = homeport.services.env;
  const { token, subject, issuer } = await signedIn(homeport.url, 'northwind', 'ada');
  const prefix = `u/${createHash('sha256').update(`${issuer}\n${subject}`).digest('base64url')}/`;
  return {
    env: { ...env, ...settings },
    issuer,
    prefix,
    api: homeport.api,
    ours: {
      url: homeport.url.replace('localhost', '127.0.0.1'),
      pid: homeport.api.pid,
      headers: { authorization: `Bearer ${token}` },
    },
    /** The same object at S3, through a presigned URL. */
    direct: (name, method = 'GET') => signedAddress(settings, `${prefix}${name}`, method),
    /** The cookies of a new session of the signed-in person. */
    cookies: async () => (await jarOf(homeport.url, 'northwind', 'ada')).header(homeport.url),
    /** The headers of a person in another organization. */
    otherOrganizationHeaders: async () => ({
      authorization: `Bearer ${(await signedIn(homeport.url, 'globex', 'hank')).token}`,
    }),
    close: async () => {
      await homeport.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function jarOf(url, provider, person) {
  return (await completeSignIn(`${url}/auth/sign-in?provider=${provider}&return_to=/settings`, { person })).jar;
}

async function signedIn(url, provider, person) {
  const cookie = (await jarOf(url, provider, person)).header(url);
  const session = await fetch(`${url}/auth/session`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  const { access_token: token } = await session.json();
  const { sub: subject, iss: issuer } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  return { token, subject, issuer };
}

function signedAddress(settings, key, method) {
  const { host, origin } = new URL(settings.S3_ENDPOINT);
  const path = `/${settings.S3_BUCKET}/${key}?X-Amz-Expires=3600`;
  const { path: signed } = aws4.sign(
    { service: 's3', region: settings.S3_REGION, host, path, method, signQuery: true },
    { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY },
  );
  return { url: origin, path: signed, headers: {} };
}

/** Writes many files directly to S3. */
export async function seed(fixture, names) {
  const left = [...names];
  const work = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      const { url, path } = fixture.direct(name, 'PUT');
      const { status } = await fetch(url + path, { method: 'PUT', body: '# A file' });
      if (status >= 300) throw new Error(`seeding ${name}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}
