export { jobFigures } from './job-figures';
export { JobQueue } from './job-queue';
export type { Job, JobOutages, JobQueueOptions, JobRun } from './job-queue';
