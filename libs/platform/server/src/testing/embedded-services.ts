import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The environment variables for the embedded services of a test run. */
export type EmbeddedServices = Readonly<Record<string, string>>;

/** @throws {Error} when the services are not running, because integration specs are never skipped. */
export function embeddedServices(): EmbeddedServices {
  const services = process.env['HOMEPORT_TEST_SERVICES'];
  if (services === undefined) throw new Error('The embedded services are not running: start this spec through Jest.');
  return JSON.parse(services) as EmbeddedServices;
}

export interface FreshDatabase {
  readonly url: string;
  /** Drops the database and closes its connections. */
  drop(): Promise<void>;
}

/** Creates an empty database for one spec. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const admin = embeddedServices()['DATABASE_URL'] ?? '';
  const name = `spec_${randomBytes(8).toString('hex')}`;
  await run(admin, `create database ${name}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(admin, `drop database ${name} with (force)`) };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
