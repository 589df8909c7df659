// The published code of Angular is linked at run time outside a build.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { HttpProblem } from '@homeport/platform/web';
import type { Standing } from './batch';
import { actionsOf, isAllDone, stateOf } from './batch-face';

const failure = (status: number): Standing<string>['failures'][number] => ({
  item: 'a',
  problem: new HttpProblem({ kind: 'refused', status, title: 'No', detail: 'No.', code: 'x' }),
});
const standing = (parts: Partial<Standing<string>>): Standing<string> => ({
  ...{ total: 3, done: 3, failures: [], state: 'ended' },
  ...parts,
});
const nothing = (): void => undefined;

const FACES: readonly (readonly [string, Standing<string>, object])[] = [
  ['running', standing({ done: 1, state: 'running' }), { state: 'running', isAllDone: false, actions: ['Cancel'] }],
  ['ended', standing({}), { state: 'done', isAllDone: true, actions: [] }],
  [
    'ended with failures',
    standing({ done: 2, failures: [failure(503)] }),
    { state: 'failed', isAllDone: false, actions: ['Retry failed'] },
  ],
  ['cancelled', standing({ done: 1, state: 'cancelled' }), { state: 'cancelled', isAllDone: false, actions: [] }],
  [
    'cancelled with failures',
    standing({ done: 1, state: 'cancelled', failures: [failure(503)] }),
    { state: 'cancelled', isAllDone: false, actions: [] },
  ],
  [
    'ended with what is too large alone',
    standing({ done: 2, failures: [failure(413)] }),
    { state: 'failed', isAllDone: false, actions: [] },
  ],
  [
    'ended with what may work among it',
    standing({ done: 1, failures: [failure(413), failure(412)] }),
    { state: 'failed', isAllDone: false, actions: ['Retry failed'] },
  ],
];

it.each(FACES)('says of a batch that is %s what it is, and what can be done', (_words, stands, face) => {
  const actions = actionsOf(stands, { cancel: nothing, retry: nothing })?.map(({ label }) => label);
  expect({ state: stateOf(stands), isAllDone: isAllDone(stands), actions }).toEqual(face);
});

describe('actionsOf', () => {
  it('does what its labels say', () => {
    const done: string[] = [];
    const ways = { cancel: () => done.push('cancel'), retry: () => done.push('retry') };
    actionsOf(standing({ state: 'running' }), ways)?.[0]?.run();
    actionsOf(standing({ failures: [failure(500)] }), ways)?.[0]?.run();
    expect(done).toEqual(['cancel', 'retry']);
  });
});
