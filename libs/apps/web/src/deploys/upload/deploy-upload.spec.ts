// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import type { App, Deploy, DeployDetails } from '@homeport/apps/contracts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HttpProblem } from '@homeport/platform/web';
import type { AppsClient } from '../../client/apps-client';
import type { DeploysClient } from '../../client/deploys-client';
import { DeployUpload } from './deploy-upload';

const problem = (kind: HttpProblem['kind'], status: number): HttpProblem =>
  new HttpProblem({ kind, status, title: 'No', detail: 'Not now.', code: 'test' });
const UNREACHABLE = problem('unreachable', 0);
const deploy = (more: object = {}): DeployDetails =>
  ({
    ...{ id: 'new', status: 'ready', created_by: 'Ada', files: [], problems: [] },
    ...{ first_live_at: '2026-03-01T00:00:00.000Z', held_back: false, ...more },
  }) as unknown as DeployDetails;

let history: readonly Deploy[] | HttpProblem;
/** Responses to reading the deploy, in order; the last one repeats. */
let reads: (DeployDetails | HttpProblem)[];
let send: DeploysClient['send'];

function upload(): DeployUpload {
  const deploys: Pick<DeploysClient, 'get' | 'list' | 'send'> = {
    list: async () => {
      if (history instanceof HttpProblem) throw history;
      return { items: history, next_cursor: null };
    },
    send: (...call) => send(...call),
    get: async () => {
      const [answer = deploy()] = reads.length > 1 ? reads.splice(0, 1) : reads;
      if (answer instanceof HttpProblem) throw answer;
      return answer;
    },
  };
  const apps: Pick<AppsClient, 'get'> = { get: async () => ({ id: 'app', active_deploy_id: 'new' }) as App };
  const file = new File(['1234'], 'site.zip');
  return new DeployUpload({
    app: { id: 'app', name: 'Shop' },
    source: { kind: 'archive', name: 'site.zip', file, type: 'application/zip' },
    activate: true,
    note: '',
    limits: undefined,
    apps: apps as AppsClient,
    deploys: deploys as DeploysClient,
    authors: ['Ada', 'sub'],
  });
}

beforeEach(() => {
  jest.useFakeTimers();
  history = [];
  reads = [];
  send = async () => deploy();
});
afterEach(() => void jest.useRealTimers());

/** Runs the upload to its end, skipping all delays. */
async function ended(one: DeployUpload): Promise<ReturnType<DeployUpload['stage']>> {
  const end = one.start();
  await jest.runAllTimersAsync();
  await end;
  return one.stage();
}

describe('DeployUpload', () => {
  it('ends with the updated app', async () => {
    const one = upload();
    expect(await ended(one)).toMatchObject({ at: 'done', deploy: { id: 'new' }, app: { id: 'app' } });
    expect(one.view()).toMatchObject({ state: 'done', title: 'Deploy of Shop', actions: [] });
  });

  it('tells that a deploy without a start page was held back', async () => {
    const problems = [{ path: 'index.html', line: null, reason: 'There is no index.html at the top.' }];
    reads = [deploy({ id: 'held', first_live_at: null, held_back: true, problems })];
    const one = upload();
    expect(await ended(one)).toMatchObject({ at: 'done', deploy: { held_back: true } });
    expect(one.view().detail).toContain('No index.html found. The deploy is not live.');
  });

  it('tells that a live deploy has no start page', async () => {
    reads = [deploy({ problems: [{ path: 'index.html', line: null, reason: 'There is no index.html at the top.' }] })];
    const one = upload();
    expect(await ended(one)).toMatchObject({ at: 'done', deploy: { held_back: false } });
    expect(one.view().detail).toContain('is live, but has no start page');
  });

  it('polls until the server has processed the deploy', async () => {
    reads = [deploy({ status: 'processing' }), UNREACHABLE, deploy({ status: 'processing' }), deploy()];
    expect(await ended(upload())).toMatchObject({ at: 'done' });
    expect(reads).toHaveLength(1);
  });

  it('reports the progress and cannot be cancelled after the last byte', async () => {
    const stages: unknown[] = [];
    const one = upload();
    send = async (_app, _body, { sent, signal }) => {
      for (const bytes of [2, 4]) {
        sent(bytes);
        stages.push(one.stage());
      }
      one.cancel();
      expect(signal.aborted).toBe(false);
      return deploy();
    };
    expect(await ended(one)).toMatchObject({ at: 'done' });
    expect(stages).toEqual([{ at: 'uploading', sent: 2, total: 4 }, { at: 'processing' }]);
  });

  it('can be cancelled before the last byte', async () => {
    const one = upload();
    send = async (_app, _body, { signal }) => {
      one.view().actions?.[0]?.run();
      signal.throwIfAborted();
      return deploy();
    };
    expect(await ended(one)).toEqual({ at: 'cancelled' });
    expect(one.view().state).toBe('cancelled');
  });

  it('covers its own deploy in the history while it is in progress', async () => {
    const one = upload();
    const covered: boolean[] = [];
    history = [deploy({ id: 'old' })];
    send = async () => {
      covered.push(...[deploy(), deploy({ id: 'old' }), deploy({ created_by: 'Ben' })].map((each) => one.shows(each)));
      return deploy();
    };
    await ended(one);
    expect([...covered, one.shows(deploy())]).toEqual([true, false, false, false]);
  });

  it('sends the name of the archive as the note', async () => {
    let message = '';
    send = async (_app, body) => {
      message = body.message;
      return deploy();
    };
    await ended(upload());
    expect(message).toBe('site.zip');
  });

  it('sends the same archive again after a failure', async () => {
    const sent: unknown[] = [];
    send = async (_app, body) => {
      sent.push(body);
      if (sent.length === 1) throw problem('refused', 503);
      return deploy();
    };
    const one = upload();
    expect(await ended(one)).toMatchObject({ at: 'failed', problem: { status: 503 } });
    expect(one.view().actions).toHaveLength(1);
    expect(await ended(one)).toMatchObject({ at: 'done' });
    expect(sent[1]).toBe(sent[0]);
  });

  it('offers no retry when the same request would be rejected again', async () => {
    send = () => Promise.reject(problem('refused', 422));
    const one = upload();
    expect(await ended(one)).toMatchObject({ at: 'failed' });
    expect(one.view().actions).toEqual([]);
  });

  it('shows why the server failed the deploy', async () => {
    reads = [deploy({ status: 'failed', error: { code: 'storage', message: 'The storage was unavailable.' } })];
    expect(await ended(upload())).toMatchObject({ at: 'failed', problem: { detail: 'The storage was unavailable.' } });
  });
});

describe('when the response is lost after the last byte', () => {
  const lost =
    (arrived: typeof history): DeploysClient['send'] =>
    async (_app, _body, { sent }) => {
      sent(4);
      history = arrived;
      throw UNREACHABLE;
    };

  it('finds the deploy in the history', async () => {
    history = [deploy({ id: 'old' })];
    send = lost([deploy({ id: 'theirs', created_by: 'Ben' }), deploy(), deploy({ id: 'old' })]);
    expect(await ended(upload())).toMatchObject({ at: 'done', deploy: { id: 'new' } });
  });

  it('fails when the history does not list the deploy', async () => {
    history = [deploy({ id: 'old' })];
    send = lost([deploy({ id: 'theirs', created_by: 'Ben' }), deploy({ id: 'old' })]);
    expect(await ended(upload())).toEqual({ at: 'failed', problem: UNREACHABLE });
  });

  it('reports an unknown outcome when the history is unreachable', async () => {
    send = lost(UNREACHABLE);
    expect(await ended(upload())).toMatchObject({ at: 'failed', problem: { code: 'client.deploy-unknown' } });
  });

  it('reports an unknown outcome when the deploy cannot be read', async () => {
    reads = [UNREACHABLE];
    expect(await ended(upload())).toMatchObject({ at: 'failed', problem: { code: 'client.deploy-unknown' } });
  });

  it('does not check the history when the upload was rejected', async () => {
    send = async (_app, _body, { sent }) => {
      sent(4);
      throw problem('refused', 503);
    };
    expect(await ended(upload())).toMatchObject({ at: 'failed', problem: { status: 503 } });
  });
});
