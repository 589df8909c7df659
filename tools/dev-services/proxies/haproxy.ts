import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { startDaemon } from '../system-programs.ts';
import { type ProxyOptions, type RunningProxy, startProxy } from './proxy.ts';
import { HAPROXY } from './programs.ts';

export interface HaproxyOptions extends ProxyOptions {
  /** Milliseconds between two health checks of an instance. */
  checkMs: number;
  /** Passes TLS through, and checks these ports of the instances by plain HTTP. Default: plain HTTP throughout. */
  checkPorts?: readonly number[];
}

export interface RunningHaproxy extends RunningProxy {
  /** Counts the instances to which HAProxy currently sends requests. */
  instancesUp(): Promise<number>;
}

/** Returns the backend section; a spec compares it with docs/operations.md. */
export function haproxyBackendOf(instances: readonly string[], check: string): string {
  return `backend homeport
  balance roundrobin
  option httpchk GET /health/ready
  option redispatch
  default-server check inter ${check} fall 1 rise 1
${instances.map((address, at) => `  server instance-${at + 1} ${address}`).join('\n')}
`;
}

/**
 * Returns the backend section for edges that terminate TLS; a spec compares it with docs/operations.md.
 * @param instances `host:port` for TLS of each edge.
 * @param checkPorts the port for plain HTTP of each edge.
 */
export function haproxyTlsBackendOf(
  instances: readonly string[],
  checkPorts: readonly number[],
  check: string,
): string {
  return `backend homeport
  mode tcp
  balance roundrobin
  option httpchk GET /health/ready
  option redispatch
  default-server check inter ${check} fall 1 rise 1
${instances.map((address, at) => `  server instance-${at + 1} ${address} port ${checkPorts[at]}`).join('\n')}
`;
}

function configurationOf(
  { instances, checkMs, checkPorts }: HaproxyOptions,
  ports: { proxy: number; stats: number },
): string {
  const check = `${checkMs}ms`;
  const backend = checkPorts ? haproxyTlsBackendOf(instances, checkPorts, check) : haproxyBackendOf(instances, check);
  return `global
  maxconn 2000
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout check 5s
frontend public
  mode ${checkPorts ? 'tcp' : 'http'}
  bind 127.0.0.1:${ports.proxy}
  default_backend homeport
${backend}
listen stats
  bind 127.0.0.1:${ports.stats}
  stats enable
  stats uri /
`;
}

/** Starts HAProxy with active health checks in front of the instances. */
export async function startHaproxy(options: HaproxyOptions): Promise<RunningHaproxy> {
  const ports = { proxy: await freePort(), stats: await freePort() };
  const running = await startProxy(HAPROXY, ports.proxy, async ({ folder, program }) => {
    await writeFile(join(folder, 'haproxy.cfg'), configurationOf(options, ports));
    return startDaemon(program, ['-db', '-f', 'haproxy.cfg'], folder);
  });
  return { ...running, instancesUp: () => countUp(ports.stats) };
}

async function countUp(port: number): Promise<number> {
  const table = await (await fetch(`http://127.0.0.1:${port}/;csv`)).text();
  return table.split('\n').filter((row) => /^homeport,instance-\d+,(?:[^,]*,){15}UP,/.test(row)).length;
}
