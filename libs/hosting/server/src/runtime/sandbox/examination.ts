import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type AddressInfo, type ListenOptions, type Server } from 'node:net';
import { networkInterfaces, release, version } from 'node:os';
import { join } from 'node:path';
import type { Sandbox, SandboxLimits, SandboxSpec } from '../application/sandbox.port';
import { RESERVED_BYTES } from './bubblewrap-arguments';
import { GUEST_FOLDER } from './guest-files';
import { forbiddenCalls } from './forbidden-calls';
import type { Architecture } from './system-calls';

const MEBIBYTE = 1024 ** 2;
const LIMITS: SandboxLimits = { memoryBytes: 128 * MEBIBYTE, cpus: 1, processes: 40, tmpBytes: 4 * MEBIBYTE };
/** More than the control group of a kernel with 40 processes allows. */
const PROCESSES_OF_OWN_KERNEL = 600;

export interface ExaminationOptions {
  /** A folder on the host for the files that must stay out of reach. */
  readonly folder: string;
  /** Folders that must not be writable, as the probe sees them. */
  readonly folders: readonly string[];
  readonly architecture: Architecture;
  /** Whether apps run on another kernel than that of the host. */
  readonly hasOwnKernel?: boolean;
  readonly signal: AbortSignal;
}

/** The walls that a sandbox does not have, each with what was possible; empty when all hold. */
export async function breachesOf(sandbox: Sandbox, options: ExaminationOptions): Promise<readonly string[]> {
  options.signal.throwIfAborted();
  const marker = `homeport-examination-${randomUUID()}`;
  const hostFolder = join(options.folder, marker);
  const secretFile = join(hostFolder, 'secret');
  await mkdir(hostFolder, { recursive: true });
  await chmod(hostFolder, 0o755);
  await writeFile(secretFile, 'secret', { mode: 0o644 });
  const everywhere = await listen({ port: 0, host: '::' }, marker).catch(() => listen({ port: 0 }, marker));
  const abstract = await listen({ path: `\0${marker}` }, marker);
  const nameServer = await listenForDatagrams(marker);
  const limits = options.hasOwnKernel ? { ...LIMITS, processes: PROCESSES_OF_OWN_KERNEL } : LIMITS;
  const target = {
    ...{ marker, secretFile, folders: options.folders, limits, pid: process.pid },
    ...{ port: (everywhere.address() as AddressInfo).port, addresses: ownAddresses() },
    ...{
      datagramPort: nameServer.address().port,
      calls: forbiddenCalls(options.architecture),
      reservedBytes: RESERVED_BYTES,
    },
    ...(options.hasOwnKernel && { hostKernel: `${release()} ${version()}` }),
  };
  // On its own kernel, an app that starts too many processes ends with its kernel.
  const alone = options.hasOwnKernel ? (['memory', 'processes'] as const) : (['memory'] as const);
  try {
    // Requests wait while a runtime restarts, so that all run at once.
    const targets = [target, ...alone.map((name) => ({ ...target, alone: name }))];
    const tests = targets.map((each) => probe(sandbox, each, options.signal));
    await Promise.allSettled(tests);
    return (await Promise.all(tests)).flat();
  } finally {
    everywhere.close();
    abstract.close();
    nameServer.close();
    await rm(hostFolder, { recursive: true });
  }
}

/** Runs the probe and collects the breaches that it prints. */
async function probe(
  sandbox: Sandbox,
  target: Readonly<Record<string, unknown>> & { readonly alone?: 'memory' | 'processes' },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const launched = await sandbox.launch({
    ...specOf(target),
    onLine: ({ stream, line }) => void (stream === 'system' || lines.push(line)),
  });
  const abort = () => void launched.stop(0);
  signal.addEventListener('abort', abort, { once: true });
  const exit = await launched.exited;
  signal.removeEventListener('abort', abort);
  signal.throwIfAborted();
  const results = lines.map(resultOf);
  const breaches = results.flatMap(({ breach }) => breach ?? []);
  // These tests end with the sandbox, unless the process limits itself.
  const isEnded = exit.isOutOfMemory || (target.alone === 'processes' && exit.code !== 0);
  const isComplete = isEnded || results.some((result) => result.isComplete);
  return isComplete || breaches.length > 0 ? breaches : [`the examination did not finish: ${lines.join(' ')}`];
}

function resultOf(line: string): { breach?: string; isComplete?: boolean } {
  return line.startsWith('{') ? (JSON.parse(line) as ReturnType<typeof resultOf>) : {};
}

function specOf(target: unknown): Omit<SandboxSpec, 'onLine'> {
  return {
    instanceId: randomUUID(),
    appId: randomUUID(),
    appFolder: GUEST_FOLDER,
    plan: { framework: 'node', kind: 'script', entry: 'probe.mjs', environment: {} },
    environment: { HOMEPORT_EXAMINATION: JSON.stringify(target) },
    limits: LIMITS,
  };
}

/** Listens, and sends the marker to every connection. */
async function listen(options: ListenOptions, marker: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(marker);
  }).listen(options);
  await once(server, 'listening');
  return server;
}

/** Answers each datagram with the marker, as a name server answers questions. */
async function listenForDatagrams(marker: string): Promise<Socket> {
  const socket = createSocket('udp4', (_, { address, port }) => socket.send(marker, port, address));
  socket.on('error', () => undefined);
  socket.bind(0);
  await once(socket, 'listening');
  return socket;
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each = []) =>
    each.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address),
  );
}
