// Angular's published code is linked at run time outside a build.
import '@angular/compiler';
import { Injector } from '@angular/core';
import type { App, Deploy, DeployStatus } from '@homeport/apps/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { asHttpProblem, Confirmations, exactTime, HttpProblem } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';
import { otherReady, RollBacks } from './roll-backs';

const FORMER = '2026-03-01T09:30:00.000Z';
const APP = { id: 'app', active_deploy_id: 'former' } as App;
const refused = (code: string): HttpProblem =>
  new HttpProblem({ kind: 'refused', status: 409, title: 'No', detail: 'No.', code });
const deploy = (id: string, status: DeployStatus = 'ready'): Deploy =>
  ({ id, status, created_at: FORMER }) as unknown as Deploy;

/** What the API says to the roll-back. */
let answer: App | HttpProblem;
let isConfirmed: boolean;
let asked: { texts: string[]; calls: string[][]; problems: HttpProblem[] };

function rollBack(deploys: readonly Deploy[], hasMore = false): Promise<App | undefined> {
  const confirmations: Pick<Confirmations, 'ask'> = {
    ask: async ({ text, run }) => {
      asked.texts.push(text);
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
  const injector = Injector.create({
    providers: [
      { provide: RollBacks, useClass: RollBacks, deps: [] },
      { provide: Confirmations, useValue: confirmations },
      { provide: DeploysClient, useValue: client },
    ],
  });
  return injector.get(RollBacks).ask({ appId: 'app', liveId: 'live', history: { deploys, hasMore } });
}

beforeEach(() => {
  answer = APP;
  isConfirmed = true;
  asked = { texts: [], calls: [], problems: [] };
});

describe('RollBacks', () => {
  it('says from which deploy', async () => {
    expect(await rollBack([deploy('live'), deploy('former')])).toBe(APP);
    expect(asked.calls).toEqual([['app', 'live']]);
  });

  it('does nothing that is not confirmed', async () => {
    isConfirmed = false;
    expect(await rollBack([deploy('live'), deploy('former')])).toBeUndefined();
    expect(asked.calls).toEqual([]);
  });

  it('names what becomes live where it can be only one', async () => {
    await rollBack([deploy('failed', 'failed'), deploy('live'), deploy('former'), deploy('old', 'archived')]);
    expect(asked.texts).toEqual([expect.stringContaining(`The deploy of ${exactTime(new Date(FORMER))} is live`)]);
  });

  it('names nothing where it may be another', async () => {
    await rollBack([deploy('live'), deploy('former'), deploy('older')]);
    await rollBack([deploy('live'), deploy('former')], true);
    await rollBack([deploy('live')], true);
    const unnamed = expect.stringContaining('The deploy that was live before this one');
    expect(asked.texts).toEqual([unnamed, unnamed, unnamed]);
  });

  it('leaves the question when somebody else was faster, and stays with it for anything else', async () => {
    answer = refused('apps.deploy-not-active');
    await expect(rollBack([deploy('live'), deploy('former')])).rejects.toBe(answer);
    expect(asked.problems).toEqual([]);
    answer = refused('apps.nothing-to-roll-back');
    expect(await rollBack([deploy('live'), deploy('former')])).toBeUndefined();
    expect(asked.problems).toEqual([answer]);
  });
});

describe('otherReady', () => {
  it('are those that could be live instead', () => {
    const deploys = [deploy('new', 'processing'), deploy('live'), deploy('former'), deploy('old', 'archived')];
    expect(otherReady({ deploys, hasMore: false }, 'live').map(({ id }) => id)).toEqual(['former']);
  });
});
