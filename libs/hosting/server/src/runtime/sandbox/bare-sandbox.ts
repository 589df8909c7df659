import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox, type SandboxedProcess, type SandboxExit, type SandboxSpec } from '../application/sandbox.port';
import { SandboxBreached } from '../application/sandbox.errors';
import { createCacheFolder } from './cache-folder';
import { guestEnvironment, nodeArguments } from './guest-command';
import { GUEST_FOLDER } from './guest-files';
import { GuestProcess, signalGroup } from './guest-process';
import { memoryOfTree } from './process-memory';
import { LaunchedProcess } from './launched-process';

export interface BareSandboxOptions {
  /** Folder for sockets, reachable for this user. */
  readonly runDirectory: string;
  /** Path of the Node binary for apps. */
  readonly node: string;
}

/** Runs apps as plain processes of this user, for tests and machines without namespaces: it isolates nothing. */
export class BareSandbox extends Sandbox {
  constructor(private readonly options: BareSandboxOptions) {
    super();
  }

  async launch(spec: SandboxSpec): Promise<SandboxedProcess> {
    const folder = join(this.options.runDirectory, spec.instanceId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await createCacheFolder(spec);
    const removeFolder = () => rm(folder, { recursive: true, force: true });
    try {
      const guest = await GuestProcess.start({
        command: this.options.node,
        args: nodeArguments(spec, { app: spec.appFolder, guest: GUEST_FOLDER }),
        visibleEnvironment: { PATH: '/usr/local/bin:/usr/bin:/bin', HOMEPORT_GUEST: '{}' },
        environment: guestEnvironment(spec, { port: await freePort(), temporaryFolder: tmpdir() }),
        cwd: spec.appFolder,
        folder,
        onLine: spec.onLine,
      });
      return processOf(guest, removeFolder);
    } catch (error) {
      await removeFolder();
      throw error;
    }
  }

  override examine(): Promise<void> {
    return Promise.reject(new SandboxBreached(['RUNTIME_SANDBOX=bare isolates nothing']));
  }
}

function processOf(guest: GuestProcess, removeFolder: () => Promise<void>): SandboxedProcess {
  const signal = async (name: NodeJS.Signals) => signalGroup(guest.pid, name);
  const exited = guest.closed.then(async ({ isHeapExhausted, ...exit }): Promise<SandboxExit> => {
    await removeFolder();
    return { ...exit, isOutOfMemory: isHeapExhausted };
  });
  return new LaunchedProcess(guest, exited, {
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
    memoryBytes: () => memoryOfTree(guest.pid),
  });
}

/** Apps share the loopback interface of the host here, so that each needs its own port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
