import type { ActivityView } from './activities';

/** How everything that runs stands together. */
export interface ActivitySummary {
  readonly running: number;
  /** How many wait for an answer or have failed. */
  readonly attention: number;
  /** From 0 to 1, of what runs; undefined while none of it can tell. */
  readonly progress: number | undefined;
}

export function summarizeActivities(faces: readonly ActivityView[]): ActivitySummary {
  const running = faces.filter(({ state }) => state === 'running');
  const known = running.map(({ progress }) => progress).filter((progress) => progress !== undefined);
  const sum = known.reduce((total, progress) => total + progress, 0);
  return {
    running: running.length,
    attention: faces.filter(({ state }) => state === 'attention' || state === 'failed').length,
    progress: known.length === 0 ? undefined : sum / known.length,
  };
}
