import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { SetupFailed } from '../errors.ts';
import type { RunningService } from '../service-process.ts';
import { ChallengeRecords } from './challenge-records.ts';
import { publishControl, withdrawControl } from './control-file.ts';
import { startControlServer } from './control.ts';
import { parseDomainName } from './domain-name.ts';
import { listen } from './listeners.ts';
import { respond } from './responder.ts';
import { PracticeRecords } from './practice-records.ts';
import { Zone } from './zone.ts';

export interface DnsOptions {
  /** Records are stored in `${dataDir}/dns/zone.json`. */
  dataDir: string;
  /** The authoritative zone. */
  domain: string;
  /** The zone of DNS challenges, below which the control endpoint sets TXT records. */
  challengeZone?: string;
  /** UDP and TCP port; 0 or absent picks a free one. */
  port?: number;
  controlPort?: number;
  /** A loopback address. */
  host?: string;
  /** Token of the control endpoint; generated when absent. */
  token?: string;
}

export interface RunningDns extends RunningService {
  port: number;
  controlUrl: string;
  token: string;
}

/**
 * Starts an authoritative DNS server for one zone of CNAME records, with a loopback HTTP control endpoint protected by
 * a bearer token: `GET /records`, `GET /records/{name}`, and `POST /changes` with `[{name, before?, after?}]` of
 * `{value, ttl}`, applied atomically: 200, 409 when a record differs from `before`, 422 for an invalid change.
 * `PUT /practice/{name}/{type}` with a list of values sets a record outside the zone, as an organization would at its
 * own DNS provider. `PUT` and `DELETE /challenges/{name}/{value}` add and remove one TXT value below the challenge zone.
 */
export async function startDns(options: DnsOptions): Promise<RunningDns> {
  const domain = parseDomainName(options.domain);
  if (!domain) throw new SetupFailed(`PLATFORM_DOMAIN is not a domain name: ${options.domain}`);
  const zone = await Zone.open(join(options.dataDir, 'dns'), domain);
  const practice = await PracticeRecords.open(join(options.dataDir, 'dns'));
  const challenges = await ChallengeRecords.open(join(options.dataDir, 'dns'), options.challengeZone?.toLowerCase());
  const token = options.token ?? randomBytes(24).toString('base64url');
  const dns = await listen(options.host ?? '127.0.0.1', options.port ?? 0, (message, transport) =>
    respond({ zone, practice, challenges }, message, transport),
  );
  try {
    const control = await startControlServer({ zone, practice, challenges, token, port: options.controlPort ?? 0 });
    const address = control.address();
    const port = typeof address === 'object' && address ? address.port : options.controlPort;
    const controlUrl = `http://127.0.0.1:${port}`;
    await publishControl(options.dataDir, { EMBEDDED_DNS_URL: controlUrl, EMBEDDED_DNS_TOKEN: token });
    const close = async (): Promise<void> =>
      void (await Promise.all([dns.close(), closeHttp(control), withdrawControl(options.dataDir)]));
    return { port: dns.port, controlUrl, token, close };
  } catch (error) {
    await dns.close();
    throw error;
  }
}

function closeHttp(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}
