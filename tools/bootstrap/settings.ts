import { resolve } from 'node:path';
import { SetupFailed } from '../dev-services/errors.ts';
import { requiredServices } from '../dev-services/services.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  port: number;
  /** The port for deployed apps. */
  edgePort: number;
  /** The same by https; undefined when certificates are off. */
  tlsPort: number | undefined;
  /** The port for operators of the API; edge and runtime use the two after it. */
  managementPort: number;
  host: string;
  publicUrl: string;
  /** Absolute path. */
  dataDir: string;
  platformDomain: string;
  /** Ports of the required services; 0 picks a free one. */
  ports: { dns: number; identity: number; postgres: number; s3: number };
  env: Environment;
}

/** When it is in use, and `EDGE_TLS_PORT` is not set, another port is taken. */
const DEFAULT_TLS_PORT = 8443;

/** When one of the three is in use, and `MANAGEMENT_PORT` is not set, others are taken. */
const DEFAULT_MANAGEMENT_PORT = 9090;

/** Reads the settings. @throws {SetupFailed} naming an invalid variable. */
export function readSettings(env: Environment, root: string): Settings {
  const port = readPort(env, 'PORT', 3000);
  return {
    port,
    edgePort: readPort(env, 'EDGE_PORT', 8080),
    tlsPort: env['CERTIFICATES'] === 'off' ? undefined : readPort(env, 'EDGE_TLS_PORT', DEFAULT_TLS_PORT),
    managementPort: readPort(env, 'MANAGEMENT_PORT', DEFAULT_MANAGEMENT_PORT),
    host: env['HOST'] || '127.0.0.1',
    publicUrl: (env['PUBLIC_URL'] || `http://localhost:${port}`).replace(/\/+$/, ''),
    dataDir: resolve(root, env['DATA_DIR'] || '.data'),
    platformDomain: env['PLATFORM_DOMAIN'] || 'apps.localhost',
    ports: {
      dns: readPort(env, 'DNS_PORT', 5353),
      identity: readPort(env, 'IDENTITY_PORT', 4400),
      postgres: readPort(env, 'POSTGRES_PORT', 0),
      s3: readPort(env, 'S3_PORT', 0),
    },
    env,
  };
}

function readPort(env: Environment, name: string, unset: number): number {
  const text = env[name];
  if (!text) return unset;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new SetupFailed(`${name} must be a port number, not "${text}".`);
  return port;
}

export interface RequiredPort {
  /** The variable that changes the port. */
  variable: string;
  port: number;
  host: string;
  what: string;
}

/** Returns the ports that these settings require to be free. */
export function requiredPorts({ port, edgePort, tlsPort, managementPort, host, ports, env }: Settings): RequiredPort[] {
  const needed = requiredServices(env);
  const services: [boolean, RequiredPort][] = [
    [needed.includes('dns'), { variable: 'DNS_PORT', port: ports.dns, host: '127.0.0.1', what: 'DNS' }],
    [
      needed.includes('identity'),
      { variable: 'IDENTITY_PORT', port: ports.identity, host: '127.0.0.1', what: 'sign-in' },
    ],
    [
      needed.includes('postgres'),
      { variable: 'POSTGRES_PORT', port: ports.postgres, host: '127.0.0.1', what: 'PostgreSQL' },
    ],
    [needed.includes('s3'), { variable: 'S3_PORT', port: ports.s3, host: '127.0.0.1', what: 'object storage' }],
  ];
  const own = [
    { variable: 'PORT', port, host, what: 'client and API' },
    { variable: 'EDGE_PORT', port: edgePort, host, what: 'deployed apps' },
    { variable: 'EDGE_TLS_PORT', port: (env['EDGE_TLS_PORT'] && tlsPort) || 0, host, what: 'deployed apps by https' },
  ];
  const management = managementHostOf(env);
  const offsets = env['MANAGEMENT_PORT'] ? [0, 1, 2] : [];
  for (const offset of offsets)
    own.push({
      variable: 'MANAGEMENT_PORT',
      port: managementPort && managementPort + offset,
      host: management,
      what: 'metrics',
    });
  return [...own, ...services.filter(([isNeeded]) => isNeeded).map(([, wanted]) => wanted)].filter(
    (each) => each.port > 0,
  );
}

/** The address on which the ports for operators listen. */
export function managementHostOf(env: Environment): string {
  return env['MANAGEMENT_HOST'] || '127.0.0.1';
}

/** Explains how to change ports that are in use. */
export function portsInUseMessage(taken: readonly RequiredPort[]): string {
  const lines = taken.map(
    ({ port, what, variable }) => `Port ${port} (${what}) is in use; set ${variable} to another.`,
  );
  const example = taken.map(({ variable, port }) => `${variable}=${port + 1}`).join(' ');
  return [...lines, `For example: ${example} npm start`].join('\n');
}
