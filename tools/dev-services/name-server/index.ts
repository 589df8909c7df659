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
  /** The PATH, where its programs are. Absent: only the system's own folders. */
  path?: string;
  /** The zone. Default: `apps.example.com`. */
  domain?: string;
  /** 0 or absent: a free one. */
  port?: number;
  algorithm?: TsigAlgorithm;
  /** What else is in the zone from the start, in the form of a zone file. */
  records?: string;
}

export type TsigAlgorithm = 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';

/** The key that may change the zone and read it as a whole. */
export interface TsigKey {
  name: string;
  /** In base64. */
  secret: string;
  algorithm: TsigAlgorithm;
}

export interface RunningNameServer extends RunningService {
  port: number;
  domain: string;
  key: TsigKey;
  died: Promise<Error>;
}

/** Everything a server's configuration is made of. */
export interface NameServerPlan {
  folder: string;
  /** The program's own folder. */
  programs: ReadonlyMap<string, string>;
  port: number;
  domain: string;
  /** Of the zone file, in `folder`. */
  zoneFile: string;
  key: TsigKey;
}

/**
 * A name server that is not ours, for one zone, on loopback and in a temporary folder: it forgets everything when it
 * stops. @throws {SetupFailed} with what to install when the machine does not have it.
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

/** Absence is remembered for 5 seconds. */
const EMPTY_ZONE = `$TTL 60
@ SOA localhost. hostmaster.localhost. 1 3600 600 86400 5
@ NS localhost.
`;

/** The settings with which the API changes this zone. */
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
