// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { Injector } from '@angular/core';
import type { App, Deploy, DeployDetails, DeployProblem } from '@homeport/apps/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { asHttpProblem, Confirmations, exactTime, HttpProblem } from '@homeport/platform/web';
import { AppsClient } from '../../client/apps-client';
import { DeploysClient } from '../../client/deploys-client';
import { Rollbacks } from './rollbacks';

const FORMER = '2026-03-01T09:30:00.000Z';
const APP = { id: 'app', active_deploy_id: 'former' } as App;
const refused = (code: string): HttpProblem =>
  new HttpProblem({ kind: 'refused', status: 409, title: 'No', detail: 'No.', code });
const deploy = (id: string): Deploy =>
  ({ id, number: 3, app_id: 'app', created_at: FORMER, created_by: 'Ada' }) as unknown as Deploy;

/** The API's response to the rollback. */
let answer: App | HttpProblem;
let isConfirmed: boolean;
/** Those of the rollback target. */
let problems: readonly DeployProblem[];
/** The deploy that is live after the rollback. */
let active: string;
let asked: { texts: string[]; isHarmless: boolean | undefined; calls: unknown[][]; problems: HttpProblem[] };

function rollBack(): Promise<App | undefined> {
  const confirmations: Pick<Confirmations, 'ask'> = {
    ask: async ({ text, isHarmless, run }) => {
      asked.texts.push(text);
      asked.isHarmless = isHarmless;
      if (isConfirmed) await run().catch((error: unknown) => asked.problems.push(asHttpProblem(error)));
      return isConfirmed;
    },
  };
  const client: Pick<DeploysClient, 'rollBack'> = {
    rollBack: async (...call) => {
      asked.calls.push(call);
      if (answer instanceof HttpProblem) throw answer;
      return answer;
    },
  };
  const apps: Pick<AppsClient, 'get'> = { get: async () => ({ ...APP, active_deploy_id: active }) };
  const injector = Injector.create({
    providers: [
      { provide: Rollbacks, useClass: Rollbacks, deps: [] },
      { provide: Confirmations, useValue: confirmations },
      { provide: DeploysClient, useValue: client },
      { provide: AppsClient, useValue: apps },
    ],
  });
  return injector
    .get(Rollbacks)
    .ask({ live: deploy('live'), former: { ...deploy('former'), problems } as DeployDetails });
}

beforeEach(() => {
  answer = APP;
  isConfirmed = true;
  problems = [];
  active = 'other';
  asked = { texts: [], isHarmless: undefined, calls: [], problems: [] };
});

describe('Rollbacks', () => {
  it('sends the expected live deploy and the rollback target', async () => {
    expect(await rollBack()).toBe(APP);
    expect(asked.calls).toEqual([['app', { from: 'live', to: 'former' }]]);
    expect(asked.isHarmless).toBe(true);
  });

  it('does nothing without confirmation', async () => {
    isConfirmed = false;
    expect(await rollBack()).toBeUndefined();
    expect(asked.calls).toEqual([]);
  });

  it('warns when the rollback target has no start page', async () => {
    problems = [{ path: 'index.html', line: null, reason: 'There is no start page.' }];
    await rollBack();
    expect(asked.texts).toEqual([expect.stringMatching(/goes live.*There is no index\.html/)]);
  });

  it('names the deploy that becomes live', async () => {
    await rollBack();
    expect(asked.texts).toEqual([expect.stringContaining(`#3 of ${exactTime(new Date(FORMER))} by Ada goes live`)]);
  });

  it('succeeds when the target deploy is already live', async () => {
    answer = refused('apps.deploy-not-active');
    active = 'former';
    expect(await rollBack()).toMatchObject({ active_deploy_id: 'former' });
    expect(asked.problems).toEqual([]);
  });

  it('closes the dialog on a conflict and keeps it open for other errors', async () => {
    answer = refused('apps.deploy-not-active');
    await expect(rollBack()).rejects.toBe(answer);
    expect(asked.problems).toEqual([]);
    answer = refused('apps.nothing-to-roll-back');
    expect(await rollBack()).toBeUndefined();
    expect(asked.problems).toEqual([answer]);
  });
});
