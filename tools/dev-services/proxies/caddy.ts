import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort } from '../ports.ts';
import { startDaemon } from '../system-programs.ts';
import { CADDY } from './programs.ts';
import { type RunningProxy, startProxy } from './proxy.ts';

export interface CaddyOptions {
  /** `host:port` */
  edge: string;
  /** The address that tells whether a host may have a certificate. */
  ask: string;
}

export interface RunningCaddy extends RunningProxy {
  httpPort: number;
  /** The root of the certificates that it issues, in PEM. */
  issuingRoot(): Promise<string>;
}

const CADDYFILE = resolve(import.meta.dirname, '../../../docs/examples/Caddyfile');

/** Runs the documented configuration with Caddy's own authority. `port` is for https. */
export async function startCaddy({ edge, ask }: CaddyOptions): Promise<RunningCaddy> {
  const [port, httpPort] = [await freePort(), await freePort()];
  let root = '';
  const proxy = await startProxy(CADDY, port, async ({ folder, program }) => {
    root = join(folder, 'caddy/pki/authorities/local/root.crt');
    return startDaemon(program, ['run', '--config', CADDYFILE, '--adapter', 'caddyfile'], folder, {
      CADDY_HTTP_PORT: String(httpPort),
      CADDY_HTTPS_PORT: String(port),
      CADDY_ISSUER: 'internal',
      HOMEPORT_ASK: ask,
      HOMEPORT_EDGE: edge,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
    });
  });
  return { ...proxy, httpPort, issuingRoot: () => readFile(root, 'utf8') };
}

export interface CaddyfileOptions {
  /** Without global options. */
  caddyfile: string;
  httpPort: number;
  httpsPort: number;
}

/** Runs a configuration with other ports than 80 and 443. */
export function startCaddyWith({ caddyfile, httpPort, httpsPort }: CaddyfileOptions): Promise<RunningProxy> {
  const global = `{\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tadmin off\n\tskip_install_trust\n}\n`;
  return startProxy(CADDY, httpsPort, async ({ folder, program }) => {
    await writeFile(join(folder, 'Caddyfile'), global + caddyfile);
    const home = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
    return startDaemon(program, ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], folder, home);
  });
}
