import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { startDaemon } from '../system-programs.ts';
import { type ProxyOptions, type RunningProxy, startProxy } from './proxy.ts';
import { NGINX } from './programs.ts';

export interface NginxOptions extends ProxyOptions {
  /** The failure parameters of each upstream `server`, such as `max_fails=0`. */
  failures: string;
  /** Whether to keep connections to the instances open. */
  keepAlive: boolean;
}

/** Returns the upstream section; a spec compares it with docs/operations.md. */
export function nginxUpstreamOf(
  instances: readonly string[],
  { failures, keepAlive }: Omit<NginxOptions, 'instances'>,
): string {
  return `upstream homeport {
${instances.map((address) => `  server ${address} ${failures};`).join('\n')}
${keepAlive ? '  keepalive 64;\n' : ''}}
`;
}

/** The location section; a spec compares it with docs/operations.md. */
export const NGINX_LOCATION = `location / {
  proxy_pass http://homeport;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Proto $scheme;
  client_max_body_size 100m;
}
`;

/** nginx defaults: HTTP/1.0 and a new connection for each request. */
const DEFAULT_LOCATION = `location / {
  proxy_pass http://homeport;
  proxy_set_header Host $http_host;
}
`;

/** Configuration directives; relative paths are in a temporary folder. */
export interface NginxDirectives {
  /** Content of the `http` block besides the server. */
  http: string;
  /** Content of the `server` block besides `listen`. */
  server: string;
}

function configurationOf({ http, server }: NginxDirectives, port: number): string {
  return `daemon off;
master_process off;
pid nginx.pid;
error_log stderr warn;
events { worker_connections 4096; }
http {
access_log off;
client_body_temp_path tmp/body;
proxy_temp_path tmp/proxy;
fastcgi_temp_path tmp/fastcgi;
uwsgi_temp_path tmp/uwsgi;
scgi_temp_path tmp/scgi;
${http}
server {
listen 127.0.0.1:${port} backlog=1024;
${server}
}
}
`;
}

/** Starts nginx with the given directives on a free loopback port. */
export async function startNginx(directives: NginxDirectives): Promise<RunningProxy> {
  const port = await freePort();
  return startProxy(NGINX, port, async ({ folder, program }) => {
    await mkdir(join(folder, 'tmp'));
    await writeFile(join(folder, 'nginx.conf'), configurationOf(directives, port));
    return startDaemon(program, ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'], folder);
  });
}

/** Starts nginx in front of the instances. It detects an unavailable instance only by failed requests. */
export function startNginxBalancer(options: NginxOptions): Promise<RunningProxy> {
  return startNginx({
    http: nginxUpstreamOf(options.instances, options),
    server: options.keepAlive ? NGINX_LOCATION : DEFAULT_LOCATION,
  });
}
