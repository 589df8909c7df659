import { describe, expect, it } from '@jest/globals';
import { summarizeActivities } from './activity-summary';

describe('summarizeActivities', () => {
  it('averages the progress of the running activities', () => {
    expect(
      summarizeActivities([
        { title: 'a', state: 'running', progress: 0.2 },
        { title: 'b', state: 'running', progress: 0.6 },
        { title: 'c', state: 'running' },
        { title: 'd', state: 'done', progress: 1 },
      ]),
    ).toEqual({ running: 3, waiting: 0, attention: 0, progress: 0.4 });
  });

  it('counts the activities that need attention', () => {
    expect(
      summarizeActivities([
        { title: 'a', state: 'attention' },
        { title: 'b', state: 'failed' },
        { title: 'c', state: 'cancelled' },
        { title: 'd', state: 'waiting' },
      ]),
    ).toEqual({ running: 0, waiting: 1, attention: 2, progress: undefined });
  });
});
