import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import type { App, DeployDetails } from '@homeport/apps/contracts';
import { doneOutcome } from './deploy-stage';

/** The outcome of a deploy after which `first` was live, while `now` is live. */
function outcome(first: string | null, now: string | null, held = false): string {
  const deploy = { id: 'new', held_back: held, problems: [] } as unknown as DeployDetails;
  return doneOutcome({ at: 'done', deploy, app: { active_deploy_id: first } as App }, { active_deploy_id: now });
}

describe('doneOutcome', () => {
  it.each([
    ['live', outcome('new', 'new')],
    ['ready', outcome('old', 'old')],
    ['held-back', outcome('old', 'old', true)],
    ['live', outcome('old', 'new')],
  ])('is %s', (expected, actual) => expect(actual).toBe(expected));

  it('does not ask to check a deploy that was live before a rollback', () => {
    expect(outcome('new', 'old')).toBe('replaced');
  });
});
