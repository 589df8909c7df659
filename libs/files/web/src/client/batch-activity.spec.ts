// Outside a build, Angular's published code needs the compiler at run time.
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
    'ended with only failures that a retry cannot fix',
    progress({ done: 2, failures: [failure(413)] }),
    { state: 'failed', isComplete: false, actions: [] },
  ],
  [
    'ended with a failure that a retry may fix',
    progress({ done: 1, failures: [failure(413), failure(412)] }),
    { state: 'failed', isComplete: false, actions: ['Retry failed'] },
  ],
];

it.each(ACTIVITIES)('shows the state and the actions of a batch that is %s', (_words, batchProgress, expected) => {
  const actions = activityActions(batchProgress, { cancel: nothing, retry: nothing })?.map(({ label }) => label);
  expect({ state: activityState(batchProgress), isComplete: isComplete(batchProgress), actions }).toEqual(expected);
});

describe('activityActions', () => {
  it('cancels a running batch and retries an ended one', () => {
    const done: string[] = [];
    const handlers = { cancel: () => done.push('cancel'), retry: () => done.push('retry') };
    activityActions(progress({ state: 'running' }), handlers)?.[0]?.run();
    activityActions(progress({ failures: [failure(500)] }), handlers)?.[0]?.run();
    expect(done).toEqual(['cancel', 'retry']);
  });
});
