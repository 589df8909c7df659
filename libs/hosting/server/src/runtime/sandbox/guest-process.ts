import { type ChildProcess, spawn } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import type { SandboxSpec } from '../application/sandbox.port';
import { SandboxUnavailable } from '../application/sandbox.errors';
import type { GuestChannel } from './guest-channel';
import { LineReader } from './line-reader';

/** Linux stores paths of unix sockets in 108 bytes, other systems in 104; the last one is a zero. */
const SOCKET_PATH_LIMIT = process.platform === 'linux' ? 107 : 103;
const HEAP_EXHAUSTED = /JavaScript heap out of memory/;
const CONTROL = 4;
const MAX_MESSAGE_LENGTH = 256;

export interface GuestProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that the process gets directly. They are visible to others on the host: nothing secret. */
  readonly visibleEnvironment: Readonly<Record<string, string>>;
  /** Variables that pass through standard input. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** User and group id; absent for those of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Pipes that the process gets as descriptor 5 and following. */
  readonly descriptors?: readonly 'pipe'[];
  /** Folder of the instance, for its socket. */
  readonly folder: string;
  /** How it is reached; by default it inherits its socket and a connection to the runtime. */
  readonly channel?: GuestChannel;
  readonly onLine: SandboxSpec['onLine'];
}

/** How a process ended, before the reason is known. */
export interface GuestExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether V8 reported that its heap is full. */
  readonly isHeapExhausted: boolean;
}

/** A process that runs `guest.mjs`. */
export class GuestProcess {
  /** Resolves when the process and its children have closed their outputs. */
  readonly closed: Promise<GuestExit>;
  /** Resolves when the server of the app listens; stays pending if it never does. */
  readonly listened: Promise<void>;
  private isHeapExhausted = false;

  private constructor(
    private readonly child: ChildProcess,
    readonly socketPath: string,
    private readonly control: Promise<Duplex>,
    { environment, onLine }: GuestProcessOptions,
  ) {
    this.closed = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal, isHeapExhausted: this.isHeapExhausted }));
    });
    this.listened = this.control.then(listeningOn);
    // Children of the app that keep its output open would otherwise outlive it.
    child.once('exit', () => signalGroup(this.pid, 'SIGKILL'));
    for (const pipe of child.stdio) pipe?.on('error', () => undefined);
    const outputs = [
      new LineReader(child.stdout as Readable, (line) => onLine({ stream: 'stdout', line })),
      new LineReader(child.stderr as Readable, (line) => {
        this.isHeapExhausted ||= HEAP_EXHAUSTED.test(line);
        onLine({ stream: 'stderr', line });
      }),
    ];
    child.once('exit', () => {
      for (const output of outputs) output.finish();
      // A paused connection does not notice its end.
      void this.control.then((control) => control.destroy()).catch(() => undefined);
    });
    child.stdin?.end(JSON.stringify({ environment }));
  }

  /** @throws {SandboxUnavailable} when the process cannot be started. */
  static async start(options: GuestProcessOptions): Promise<GuestProcess> {
    const { channel } = options;
    if (channel) {
      const child = await spawned(options, ['ignore', 'ignore']);
      return new GuestProcess(child, channel.socketPath, channel.control, options);
    }
    const socketPath = join(options.folder, 'http');
    const listener = await listenOn(`${socketPath}.new`);
    const child = await spawned(options, [descriptorOf(listener), 'pipe']);
    // Closing removes the path that it listened on, and the child keeps the socket.
    await rename(`${socketPath}.new`, socketPath);
    listener.close();
    const control = child.stdio[CONTROL] as unknown as Duplex;
    return new GuestProcess(child, socketPath, Promise.resolve(control), options);
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** A pipe from `descriptors`. */
  pipe(descriptor: number): Duplex {
    return this.child.stdio[descriptor] as unknown as Duplex;
  }

  /** Lets the main process send itself SIGTERM. */
  requestStop(): void {
    void this.control.then((control) => control.write('stop\n'));
  }
}

/** Resolves when the app listens. The app can write here too, so that nothing more is read then, nor a long message. */
function listeningOn(control: Duplex): Promise<void> {
  return new Promise((resolve) => {
    let received = '';
    const read = (text: string) => {
      received += text;
      const isListening = received.includes('listening\n');
      if (!isListening && received.length <= MAX_MESSAGE_LENGTH) return;
      control.off('data', read).pause();
      if (isListening) resolve();
    };
    control.setEncoding('utf8').on('data', read);
  });
}

/** @param own descriptors 3 and 4. @throws {SandboxUnavailable} when the process cannot be started. */
async function spawned(
  { command, args, cwd, user, visibleEnvironment, descriptors = [] }: GuestProcessOptions,
  own: readonly (number | 'pipe' | 'ignore')[],
): Promise<ChildProcess> {
  const child = spawn(command, args, {
    cwd,
    env: { ...visibleEnvironment },
    stdio: ['pipe', 'pipe', 'pipe', ...own, ...descriptors],
    // A process group, so that children of the app get signals too.
    detached: true,
    ...user,
  });
  const failed = once(child, 'error').then(([error]: unknown[]) => error);
  if (child.pid === undefined)
    throw new SandboxUnavailable(`${command} could not be started.`, { cause: await failed });
  return child;
}

/** Signals all processes of a group, which may have ended already. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function listenOn(path: string): Promise<Server> {
  if (Buffer.byteLength(path) > SOCKET_PATH_LIMIT) {
    throw new SandboxUnavailable(`The path ${path} is too long for a unix socket.`, {
      remedy: 'Choose a shorter RUNTIME_DIR.',
      path,
    });
  }
  const listener = createServer();
  listener.listen(path);
  await once(listener, 'listening');
  return listener;
}

/** Node passes listening sockets to its own children by fork() only; every program can inherit a descriptor. */
function descriptorOf(listener: Server): number {
  const { fd } = (listener as unknown as { _handle: { fd?: unknown } })._handle;
  if (typeof fd !== 'number')
    throw new SandboxUnavailable('This version of Node does not tell the socket’s descriptor.');
  return fd;
}
