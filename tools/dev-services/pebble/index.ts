import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SetupFailed } from '../errors.ts';
import { freePort } from '../ports.ts';
import { type Daemon, findPrograms, installAdvice, startDaemon } from '../system-programs.ts';
import { waitUntilReady } from '../wait-until-ready.ts';
import { PEBBLE } from './programs.ts';

export interface PebbleOptions {
  /** `host:port` of the DNS server that finds the names of challenges. */
  dnsServer: string;
  /** Where it asks for answers over HTTP and TLS. Default: ports where nothing listens. */
  httpPort?: number;
  tlsPort?: number;
  /** The share of nonces that it rejects, in percent. Default: 0. */
  rejectedNonces?: number;
  /** Accepts only accounts that are bound to this one; the key in base64url. */
  externalAccount?: { keyId: string; key: string };
  /** The port of its API. Default: a free one. */
  port?: number;
}

/** The ACME server of Let's Encrypt for tests, which loses its state when it stops. */
export interface RunningPebble {
  /** The URL of its directory. */
  directory: string;
  port: number;
  /** The file of the root that its API is trusted with. */
  caFile: string;
  /** The root of the certificates that it issues, in PEM. */
  issuingRoot(): Promise<string>;
  died: Promise<Error>;
  close(): Promise<void>;
}

const TRIES = 500;
const PAUSE_MILLISECONDS = 20;
const run = promisify(execFile);

/** @throws {SetupFailed} with the package to install when Pebble is missing. */
export async function startPebble(options: PebbleOptions): Promise<RunningPebble> {
  const found = await findPrograms(PEBBLE);
  if (!found) throw new SetupFailed(installAdvice(PEBBLE));
  const folder = await mkdtemp(join(tmpdir(), 'homeport-pebble-'));
  let daemon: Daemon | undefined;
  const close = async (): Promise<void> => {
    await daemon?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [port, managementPort] = [options.port ?? (await freePort()), await freePort()];
    const caFile = await createApiCertificate(folder);
    await writeFile(join(folder, 'config.json'), JSON.stringify(configurationOf(options, port, managementPort)));
    const args = ['-config', 'config.json', '-dnsserver', options.dnsServer];
    daemon = startDaemon(join(found.get('pebble') ?? '', 'pebble'), args, folder, {
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_WFE_NONCEREJECT: String(options.rejectedNonces ?? 0),
    });
    await waitUntilReady(() => accepts(port), {
      tries: TRIES,
      pauseMilliseconds: PAUSE_MILLISECONDS,
      died: daemon.died,
      late: () => new SetupFailed('Pebble does not accept connections.'),
    });
    return {
      directory: `https://127.0.0.1:${port}/dir`,
      port,
      caFile,
      issuingRoot: () => readManagement(managementPort, caFile),
      died: daemon.died,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function configurationOf(options: PebbleOptions, port: number, managementPort: number) {
  const { externalAccount, httpPort = 1, tlsPort = 1 } = options;
  return {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      certificate: 'api.pem',
      privateKey: 'api.key',
      ...{ httpPort, tlsPort, ocspResponderURL: '' },
      externalAccountBindingRequired: externalAccount !== undefined,
      ...(externalAccount && { externalAccountMACKeys: { [externalAccount.keyId]: externalAccount.key } }),
    },
  };
}

/** A self-signed certificate for the API. @returns its file. */
async function createApiCertificate(folder: string): Promise<string> {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=pebble', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  await run('openssl', [...args, ...names, '-keyout', 'api.key', '-out', 'api.pem'], { cwd: folder });
  return join(folder, 'api.pem');
}

async function readManagement(port: number, caFile: string): Promise<string> {
  const { request } = await import('node:https');
  const ca = await readFile(caFile);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/roots/0', ca }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => resolve(text));
    })
      .once('error', reject)
      .end();
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });
}
