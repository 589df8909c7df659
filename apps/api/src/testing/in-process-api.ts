import 'reflect-metadata';
import { TestIssuer } from '@homeport/identity/server/testing';
import { migrate } from '@homeport/platform/server/database';
import { embeddedServices, freshDatabase } from '@homeport/platform/server/testing';
import { pino } from 'pino';
import { type Adapters, adaptersFor, databasesOf } from '../adapters';
import { databaseOptions } from '../database-options';
import { loadConfig } from '../config';
import { createServer, type Server } from '../create-server';

const DRAIN_LIMIT_MS = 25_000;

export interface InProcessApi {
  readonly server: Server;
  /** The accepted issuer, with which a test can sign any token. */
  readonly issuer: TestIssuer;
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts the whole API on the embedded services, with a separate database and issuer and without rate limits.
 * @param env additional environment variables.
 * @param change replaces adapters.
 */
export async function startInProcessApi(
  env: Readonly<Record<string, string>> = {},
  change: (adapters: Adapters) => Adapters = (adapters) => adapters,
): Promise<InProcessApi> {
  const [issuer, database] = await Promise.all([TestIssuer.start(), freshDatabase()]);
  const config = loadConfig({
    ...embeddedServices(),
    DATABASE_URL: database.url,
    AUTH_ISSUER: issuer.url,
    AUTH_JWKS_URI: issuer.jwksUri,
    AUTH_AUDIENCE: issuer.audience,
    RATE_LIMIT_PER_USER: '0',
    RATE_LIMIT_PER_ADDRESS: '0',
    ...env,
  });
  await migrate(databaseOptions(config));
  const log = pino({ level: 'silent' });
  const adapters = change(adaptersFor(config, log));
  await Promise.all(databasesOf(adapters).map((each) => each.open()));
  const server = await createServer(config, adapters, { log });
  server.health.start();
  server.changes.start();
  await server.health.waitForFirstChecks();
  await server.app.listen(0, '127.0.0.1');
  return {
    server,
    issuer,
    url: await server.app.getUrl(),
    stop: async () => {
      server.changes.stop();
      await server.drain.close(DRAIN_LIMIT_MS);
      server.health.stop();
      await server.app.close();
      await adapters.jobs.stop();
      await Promise.all(databasesOf(adapters).map((each) => each.close()));
      await Promise.all([issuer.stop(), database.drop()]);
    },
  };
}
