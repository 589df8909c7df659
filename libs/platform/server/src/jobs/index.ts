export { JobQueue } from './job-queue';
export type { Job, JobOutages, JobQueueOptions } from './job-queue';
