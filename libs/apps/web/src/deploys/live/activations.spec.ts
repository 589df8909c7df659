// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { Injector } from '@angular/core';
import type { App, DeployDetails } from '@homeport/apps/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Confirmations, exactTime } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';
import { Activations } from './activations';

const CREATED = '2026-03-01T09:30:00.000Z';
const APP = { id: 'app', active_deploy_id: 'next' } as App;
const PROBLEM = { path: 'index.html', line: null, reason: 'There is no index.html at the top.' };

let isConfirmed: boolean;
let texts: string[];

function ask(problems: DeployDetails['problems'], hasLive: boolean): Promise<App | undefined> {
  const confirmations: Pick<Confirmations, 'ask'> = {
    ask: async ({ text, run }) => {
      texts.push(text);
      if (isConfirmed) await run();
      return isConfirmed;
    },
  };
  const deploys: Pick<DeploysClient, 'activate'> = { activate: async () => APP };
  const injector = Injector.create({
    providers: [
      { provide: Activations, useClass: Activations, deps: [] },
      { provide: Confirmations, useValue: confirmations },
      { provide: DeploysClient, useValue: deploys },
    ],
  });
  const deploy = {
    id: 'next',
    number: 4,
    created_at: CREATED,
    created_by: 'Ada',
    problems,
  } as unknown as DeployDetails;
  return injector.get(Activations).ask(deploy, hasLive);
}

beforeEach(() => {
  isConfirmed = true;
  texts = [];
});

describe('Activations', () => {
  const goesLive = `#4 of ${exactTime(new Date(CREATED))} by Ada goes live immediately.`;

  it.each([
    [[], false, goesLive],
    [[], true, `${goesLive} The current deploy stays in the list.`],
    [[PROBLEM], false, `${goesLive} There is no index.html, so people who open the app see “Not found”.`],
  ])('asks and activates: %#', async (problems, hasLive, text) => {
    expect(await ask(problems, hasLive)).toBe(APP);
    expect(texts).toEqual([text]);
  });

  it('changes nothing when the user cancels', async () => {
    isConfirmed = false;
    expect(await ask([], true)).toBeUndefined();
  });
});
