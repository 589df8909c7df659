import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupFailed } from '../errors.ts';
import { freePort } from '../ports.ts';
import { findPrograms, installAdvice } from '../system-programs.ts';
import type { Daemon, SystemPrograms } from '../system-programs.ts';
import type { RunningService } from '../service-process.ts';
import { waitUntilServing } from './readiness.ts';

export interface NameServerOptions {
  /** The PATH in which its programs are searched; by default only the system folders. */
  path?: string;
  /** The zone. Default: `apps.example.com`. */
  domain?: string;
  /** 0 or absent picks a free port. */
  port?: number;
  algorithm?: TsigAlgorithm;
  /** Additional initial records, in zone file format. */
  records?: string;
}

export type TsigAlgorithm = 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';

/** The TSIG key for updates and zone transfers. */
export interface TsigKey {
  name: string;
  /** Base64. */
  secret: string;
  algorithm: TsigAlgorithm;
}

export interface RunningNameServer extends RunningService {
  port: number;
  domain: string;
  key: TsigKey;
  died: Promise<Error>;
}

/** The input for a server's configuration. */
export interface NameServerPlan {
  folder: string;
  /** The folder of each program. */
  programs: ReadonlyMap<string, string>;
  port: number;
  domain: string;
  /** Name of the zone file in `folder`. */
  zoneFile: string;
  key: TsigKey;
}

/**
 * Starts an independent name server for one zone, on loopback and in a temporary folder. Loses all data when it stops.
 * @throws {SetupFailed} with the packages to install when the server is missing.
 */
export async function startNameServer(
  system: SystemPrograms,
  options: NameServerOptions,
  launch: (plan: NameServerPlan) => Promise<Daemon>,
): Promise<RunningNameServer> {
  const programs = await findPrograms(system, options.path);
  if (!programs) throw new SetupFailed(installAdvice(system));
  const { domain = 'apps.example.com', algorithm = 'hmac-sha256' } = options;
  const key = { name: 'homeport', secret: randomBytes(32).toString('base64'), algorithm };
  const port = options.port || (await freePort());
  const folder = await mkdtemp(join(tmpdir(), `homeport-${system.title.toLowerCase()}-`));
  let daemon: Daemon | undefined;
  const close = async (): Promise<void> => {
    await daemon?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const zoneFile = `${domain}.zone`;
    await writeFile(join(folder, zoneFile), `${EMPTY_ZONE}${options.records ?? ''}\n`);
    daemon = await launch({ folder, programs, port, domain, zoneFile, key });
    await waitUntilServing({ port, domain, daemon });
    return { port, domain, key, died: daemon.died, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Resolvers cache absent names for 5 seconds. */
const EMPTY_ZONE = `$TTL 60
@ SOA localhost. hostmaster.localhost. 1 3600 600 86400 5
@ NS localhost.
`;

/** Returns the environment with which the API changes this zone. */
export function nameServerSettings({ port, domain, key }: RunningNameServer): Record<string, string> {
  return {
    DNS_PROVIDER: 'rfc2136',
    PLATFORM_DOMAIN: domain,
    RFC2136_SERVER: `127.0.0.1:${port}`,
    RFC2136_KEY_NAME: key.name,
    RFC2136_KEY_SECRET: key.secret,
    RFC2136_KEY_ALGORITHM: key.algorithm,
  };
}
