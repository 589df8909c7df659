import type { ActivityView } from './activities';

/** The combined state of all activities. */
export interface ActivitySummary {
  readonly running: number;
  /** Number of activities that continue later. */
  readonly waiting: number;
  /** Number of activities that wait for an answer or have failed. */
  readonly attention: number;
  /** Average progress of the running activities from 0 to 1; undefined when none of them is measurable. */
  readonly progress: number | undefined;
}

export function summarizeActivities(views: readonly ActivityView[]): ActivitySummary {
  const running = views.filter(({ state }) => state === 'running');
  const known = running.map(({ progress }) => progress).filter((progress) => progress !== undefined);
  const sum = known.reduce((total, progress) => total + progress, 0);
  return {
    running: running.length,
    waiting: views.filter(({ state }) => state === 'waiting').length,
    attention: views.filter(({ state }) => state === 'attention' || state === 'failed').length,
    progress: known.length === 0 ? undefined : sum / known.length,
  };
}
