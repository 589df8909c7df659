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

  /** @param kill resolves when the process has ended, and is on its way again. */
  const killInTheMiddle = async (kill: () => Promise<unknown>) => {
    const requests = Array.from({ length: REQUESTS }, (_, i) => i).values();
    const outcomes: Outcome[] = [];
    let killed: Promise<number> | undefined;
    const work = async () => {
      const visitor = new KeepAliveVisitor(edge.port, new URL(app.url).hostname);
      for (const index of requests) {
        let outcome = await ask(visitor, index);
        // Nothing listens while the edge restarts: visitors try again.
        for (; outcome.kind === 'not-sent'; outcome = await ask(visitor, index)) await killed;
        outcomes.push(outcome);
        if (outcomes.length > REQUESTS / 3) killed ??= measured(kill);
      }
      visitor.close();
    };
    const killedAt = () => killed?.then((ms) => ms);
    await Promise.all(Array.from({ length: VISITORS }, work));
    return { outcomes, killedAt: (await killedAt()) ?? 0 };
  };

  const expectRecovery = (what: string, { outcomes, killedAt }: Awaited<ReturnType<typeof killInTheMiddle>>) => {
    expect(outcomes).toHaveLength(REQUESTS);
    expect(outcomes.filter(({ kind }) => kind === 'wrong')).toEqual([]);
    const failed = outcomes.filter(({ kind }) => kind === 'failed');
    expect(failed.length).toBeLessThanOrEqual(VISITORS);
    const after = outcomes.filter(({ kind, began }) => kind === 'answered' && began > killedAt);
    const recoveredAt = Math.min(...after.map(({ ended }) => ended));
    expectWithin(recoveredAt - killedAt, RECOVERY_MS, `${what}: ${failed.length} requests failed; answers`);
  };

  it('of an instance fails only requests under way', async () => {
    const kill = () => visit(`${app.url}/kill`, { port: edge.port });
    expectRecovery('instance', await killInTheMiddle(kill));
  });

  it('of the runtime fails only requests under way', async () => {
    const kill = async () => {
      await runtime.kill();
      runtime = await spawnRuntime(folder);
    };
    expectRecovery('runtime', await killInTheMiddle(kill));
  });

  it('of the edge fails only requests under way', async () => {
    const kill = async () => {
      const { port } = edge;
      await edge.kill();
      edge = await spawnEdge({ RUNTIME_DIR: folder }, port);
    };
    expectRecovery('edge', await killInTheMiddle(kill));
  });
});

/** @returns when the work began. */
async function measured(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return began;
}

async function ask(visitor: KeepAliveVisitor, index: number): Promise<Outcome> {
  const began = performance.now();
  const kind = await outcomeOf(visitor, index);
  return { began, ended: performance.now(), kind };
}

/** Every fourth request has a body. */
async function outcomeOf(visitor: KeepAliveVisitor, index: number): Promise<Outcome['kind']> {
  const path = `/${index}`;
  const hasBody = index % 4 === 0;
  const expected = path.repeat(10_000);
  try {
    const { status, body } = await visitor.ask(hasBody ? { path, method: 'POST', body: expected } : { path });
    if (FAILED.includes(status)) return 'failed';
    return status === 200 && body === expected ? 'answered' : 'wrong';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'not-sent' : 'failed';
  }
}
