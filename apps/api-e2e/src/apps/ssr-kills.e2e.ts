import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { type EdgeProcess, type ProductProcess, spawnEdge, spawnRuntime } from '../product-processes';
import { signIn } from '../homeport';
import { expectWithin, suiteSize, until } from '../suites';
import { DeployClient } from './deploy-client';
import { KeepAliveVisitor } from './keep-alive-visitor';
import { visit } from './visit';

const REQUESTS = suiteSize(200, 1_000);
const VISITORS = 20;
const RECOVERY_MS = 2_000;

/** Answers with a long text that depends on the path, in one or two parts; echoes bodies; ends itself. */
const SERVER = {
  'server.js': `
    const { createServer } = require('node:http');
    createServer((request, response) => {
      if (request.url === '/kill') return process.kill(process.pid, 'SIGKILL');
      if (request.method === 'POST') return request.pipe(response);
      const body = request.url.repeat(10_000);
      if (request.url.endsWith('1')) return response.end(body);
      response.write(body.slice(0, 5_000));
      setImmediate(() => response.end(body.slice(5_000)));
    }).listen(process.env.PORT);`,
};
/** What may happen to a request when a process on its way is killed: no answer, a cut one, or one of these. */
const FAILED = [502, 503, 504];

interface Outcome {
  /** When the request began. */
  readonly began: number;
  readonly ended: number;
  /** `wrong`: it looks like the response of the app, and is not. */
  readonly kind: 'answered' | 'failed' | 'not-sent' | 'wrong';
  /** The status, or the code of the error. */
  readonly detail: string;
}

interface Kill {
  /** Resolves when the end of the process is known. */
  readonly kill: () => Promise<unknown>;
  readonly restart?: () => Promise<unknown>;
}

describe('SIGKILL in the middle of requests to an SSR app', () => {
  let folder: string;
  let edge: EdgeProcess;
  let runtime: ProductProcess;
  let app: App;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hp-kill-'));
    await chmod(folder, 0o711);
    [edge, runtime] = await Promise.all([spawnEdge({ RUNTIME_DIR: folder }), spawnRuntime(folder)]);
    const ada = new DeployClient((await signIn('ada')).token);
    app = await ada.register('Kill', 'ssr');
    expect((await ada.deploy(app.id, SERVER)).status).toBe(201);
    await until(async () => (await visit(app.url, { port: edge.port })).status === 200);
  });
  afterAll(async () => {
    await Promise.all([edge?.stop(), runtime?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  const killInTheMiddle = async ({ kill, restart }: Kill) => {
    const requests = Array.from({ length: REQUESTS }, (_, i) => i).values();
    const outcomes: Outcome[] = [];
    let killedAt = 0;
    let endedAt = 0;
    let isOver: Promise<void> | undefined;
    const killAndRestart = async () => {
      killedAt = performance.now();
      await kill();
      endedAt = performance.now();
      await restart?.();
    };
    const work = async () => {
      const visitor = new KeepAliveVisitor(edge.port, new URL(app.url).hostname);
      for (const index of requests) {
        let outcome = await ask(visitor, index);
        // Nothing listens while the edge restarts: visitors try again.
        for (; outcome.kind === 'not-sent'; outcome = await ask(visitor, index)) await isOver;
        outcomes.push(outcome);
        if (outcomes.length > REQUESTS / 3) isOver ??= killAndRestart();
      }
      visitor.close();
    };
    await Promise.all(Array.from({ length: VISITORS }, work));
    await isOver;
    return { outcomes, killedAt, endedAt };
  };

  const expectRecovery = (
    what: string,
    { outcomes, killedAt, endedAt }: Awaited<ReturnType<typeof killInTheMiddle>>,
  ) => {
    expect(outcomes).toHaveLength(REQUESTS);
    expect(outcomes.filter(({ kind }) => kind === 'wrong')).toEqual([]);
    const failed = outcomes.filter(({ kind }) => kind === 'failed');
    const failedLater = failed.filter(({ began }) => began > endedAt);
    expect(failedLater.map((outcome) => ({ ...outcome, log: edge.logLines().slice(-20) }))).toEqual([]);
    const after = outcomes.filter(({ kind, began }) => kind === 'answered' && began > killedAt);
    const recoveredAt = Math.min(...after.map(({ ended }) => ended));
    expectWithin(recoveredAt - killedAt, RECOVERY_MS, `${what}: ${failed.length} requests failed; answers`);
  };

  it('of an instance fails only requests under way', async () => {
    // Its own request fails once the runtime knows.
    const kill = () => visit(`${app.url}/kill`, { port: edge.port });
    expectRecovery('instance', await killInTheMiddle({ kill }));
  });

  it('of the runtime fails only requests under way', async () => {
    const kill = () => runtime.kill();
    const restart = async () => (runtime = await spawnRuntime(folder));
    expectRecovery('runtime', await killInTheMiddle({ kill, restart }));
  });

  it('of the edge fails only requests under way', async () => {
    const { port } = edge;
    const kill = () => edge.kill();
    const restart = async () => {
      edge = await spawnEdge({ RUNTIME_DIR: folder }, port);
      // On a busy machine the first lookup of a new edge may exceed the time limit of a database connection.
      await until(async () => (await visit(app.url, { port })).status === 200);
    };
    expectRecovery('edge', await killInTheMiddle({ kill, restart }));
  });
});

async function ask(visitor: KeepAliveVisitor, index: number): Promise<Outcome> {
  const began = performance.now();
  const outcome = await outcomeOf(visitor, index);
  return { ...outcome, began, ended: performance.now() };
}

/** Every fourth request has a body. */
async function outcomeOf(visitor: KeepAliveVisitor, index: number): Promise<Pick<Outcome, 'kind' | 'detail'>> {
  const path = `/${index}`;
  const hasBody = index % 4 === 0;
  const expected = path.repeat(10_000);
  try {
    const { status, body } = await visitor.ask(hasBody ? { path, method: 'POST', body: expected } : { path });
    if (FAILED.includes(status)) return { kind: 'failed', detail: `${status} ${body.slice(0, 200)}` };
    if (status === 200 && body === expected) return { kind: 'answered', detail: '200' };
    return { kind: 'wrong', detail: `${status} ${body.slice(0, 200)}` };
  } catch (error) {
    const { code = 'cut off' } = error as NodeJS.ErrnoException;
    return { kind: code === 'ECONNREFUSED' ? 'not-sent' : 'failed', detail: code };
  }
}
