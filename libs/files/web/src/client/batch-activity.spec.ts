// The published code of Angular is linked at run time outside a build.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { HttpProblem } from '@homeport/platform/web';
import type { BatchProgress } from './batch';
import { activityActions, isComplete, activityState } from './batch-activity';

const failure = (status: number): BatchProgress<string>['failures'][number] => ({
  item: 'a',
  problem: new HttpProblem({ kind: 'refused', status, title: 'No', detail: 'No.', code: 'x' }),
});
const progress = (parts: Partial<BatchProgress<string>>): BatchProgress<string> => ({
  ...{ total: 3, done: 3, failures: [], state: 'ended' },
  ...parts,
});
const nothing = (): void => undefined;

const ACTIVITIES: readonly (readonly [string, BatchProgress<string>, object])[] = [
  ['running', progress({ done: 1, state: 'running' }), { state: 'running', isComplete: false, actions: ['Cancel'] }],
  ['ended', progress({}), { state: 'done', isComplete: true, actions: [] }],
  [
    'ended with failures',
    progress({ done: 2, failures: [failure(503)] }),
    { state: 'failed', isComplete: false, actions: ['Retry failed'] },
  ],
  ['cancelled', progress({ done: 1, state: 'cancelled' }), { state: 'cancelled', isComplete: false, actions: [] }],
  [
    'cancelled with failures',
    progress({ done: 1, state: 'cancelled', failures: [failure(503)] }),
    { state: 'cancelled', isComplete: false, actions: [] },
  ],
  [
    'ended with what is too large alone',
    progress({ done: 2, failures: [failure(413)] }),
    { state: 'failed', isComplete: false, actions: [] },
  ],
  [
    'ended with what may work among it',
    progress({ done: 1, failures: [failure(413), failure(412)] }),
    { state: 'failed', isComplete: false, actions: ['Retry failed'] },
  ],
];

it.each(ACTIVITIES)('says of a batch that is %s what it is, and what can be done', (_words, stands, face) => {
  const actions = activityActions(stands, { cancel: nothing, retry: nothing })?.map(({ label }) => label);
  expect({ state: activityState(stands), isComplete: isComplete(stands), actions }).toEqual(face);
});

describe('activityActions', () => {
  it('does what its labels say', () => {
    const done: string[] = [];
    const ways = { cancel: () => done.push('cancel'), retry: () => done.push('retry') };
    activityActions(progress({ state: 'running' }), ways)?.[0]?.run();
    activityActions(progress({ failures: [failure(500)] }), ways)?.[0]?.run();
    expect(done).toEqual(['cancel', 'retry']);
  });
});
