import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import type { DoubleVersion } from './lambda-functions-double';

const BOOTSTRAP = join(import.meta.dirname, 'lambda-bootstrap.mjs');

interface Invocation {
  readonly event: Buffer;
  /** Receives the response of the function. */
  readonly respond: (payload: IncomingMessage) => Promise<void>;
}

/** A copy of a function: a process that serves one event at a time. */
interface Copy {
  readonly id: string;
  readonly process: ChildProcess;
  readonly exited: Promise<unknown>;
  /** Waits for the next event. */
  waiting?: ServerResponse | undefined;
  /** The event that it gets next, or works on. */
  invocation?: Invocation | undefined;
}

/** Runs versions of functions as processes, and serves their Runtime API. */
export class LambdaInstancesDouble {
  /** By function and version. */
  readonly #copies = new Map<string, Set<Copy>>();
  readonly #folders: string[] = [];

  /** @param address of this double, for the Runtime API. */
  constructor(private readonly address: () => string) {}

  /** The number of copies that run. */
  get running(): number {
    return this.#all().length;
  }

  /**
   * Runs one event in a free copy, or in a new one. Resolves when the payload has been read.
   * @param id names function and version.
   * @throws {Error} when the copy exits without a response.
   */
  async invoke(id: string, version: DoubleVersion, { event, respond }: Invocation): Promise<void> {
    const copies = this.#copies.get(id) ?? new Set();
    this.#copies.set(id, copies);
    const free = [...copies].find(({ invocation }) => !invocation);
    const copy = free ?? (await this.#start(version));
    copies.add(copy);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    copy.invocation = {
      event,
      respond: async (payload) => {
        await respond(payload);
        copy.invocation = undefined;
        resolve(undefined);
      },
    };
    if (copy.waiting) deliver(copy, copy.waiting);
    const exited = copy.exited.then(() => {
      copies.delete(copy);
      throw new Error('The function has exited.');
    });
    await Promise.race([promise, exited]);
  }

  /** Serves the Runtime API: `/runtime/{copy}/invocation/next` and `/runtime/{copy}/invocation/{id}/response`. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , id, , action] = (request.url ?? '').split('/');
    const copy = this.#all().find((each) => each.id === id);
    if (!copy) return void response.destroy();
    if (action === 'next') {
      copy.waiting = response;
      if (copy.invocation) deliver(copy, response);
      return;
    }
    try {
      await copy.invocation?.respond(request);
      response.writeHead(202).end();
    } catch {
      // The copy has ended within its response; the invocation fails with its exit.
      response.destroy();
    }
  }

  /** Ends all copies. */
  async close(): Promise<void> {
    for (const { process, exited } of this.#all()) {
      if (process.pid !== undefined) killGroup(process.pid);
      await exited;
    }
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }

  #all(): Copy[] {
    return [...this.#copies.values()].flatMap((copies) => [...copies]);
  }

  async #start({ zip, settings }: DoubleVersion): Promise<Copy> {
    const folder = await mkdtemp(join(tmpdir(), 'hp-fn-'));
    this.#folders.push(folder);
    await unpack(zip, join(folder, 'task'));
    const temporary = join(folder, 'tmp');
    await mkdir(temporary);
    const id = randomUUID();
    const { Variables = {} } = (settings['Environment'] ?? {}) as { Variables?: Record<string, string> };
    const root = join(folder, 'task');
    const args = [BOOTSTRAP, `${this.address()}/runtime/${id}`, root, String(settings['Handler'])];
    const child = spawn(process.execPath, args, {
      cwd: root,
      // A process group, so that the server of the app ends too.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...Variables,
        PATH: '/usr/local/bin:/usr/bin:/bin',
        TMPDIR: temporary,
        LAMBDA_TASK_ROOT: root,
        AWS_ACCESS_KEY_ID: 'of-the-role',
      },
    });
    return { id, process: child, exited: once(child, 'exit') };
  }
}

function deliver(copy: Copy, waiting: ServerResponse): void {
  copy.waiting = undefined;
  waiting.setHeader('Lambda-Runtime-Aws-Request-Id', randomUUID()).end(copy.invocation?.event);
}

async function unpack(zip: Buffer, folder: string): Promise<void> {
  for (const [name, content] of Object.entries(unzipSync(zip))) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { mode: 0o444 });
  }
}

/** The group may have ended already. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
