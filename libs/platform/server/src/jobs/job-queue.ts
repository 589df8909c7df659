import { PgBoss } from 'pg-boss';
import type { DataSource } from 'typeorm';
import type { Database } from '../database/database';
import { translatePostgresError } from '../postgres/postgres-errors';
import { DATABASE_OPERATION } from '../postgres/query-queue';
import { isError } from '../observability/failure-cause';
import type { OutageLog } from '../observability/outage-log';
import { DatabaseUnavailable } from '@homeport/kernel';

/** Background work that any instance may run. */
export interface Job {
  /** `<domain>.<kebab-case>`. */
  readonly name: string;
  /**
   * Does all pending work. It must be idempotent: several enqueued runs may be combined into one, a run may be
   * repeated, and two instances may run at once.
   */
  readonly run: () => Promise<void>;
  /** The schedule on which the job always runs: a cron expression in UTC. */
  readonly cron: string;
}

export interface JobQueueOptions {
  readonly database: DataSource;
  /**
   * Stores enqueued runs. Requests wait for that, and must not wait for the connections that running jobs use. Default:
   * `database`.
   */
  readonly enqueuing?: Pick<Database, 'run' | 'source'>;
  /** Log when the queue or a job fails and recovers. Neither ends the process. */
  readonly outages?: JobOutages;
  /** Receives every finished run. Default: not measured. */
  readonly onRun?: ((run: JobRun) => void) | undefined;
  /** Receives the milliseconds that it took to store an enqueued run. */
  readonly onStored?: (durationMs: number) => void;
}

export interface JobRun {
  readonly job: string;
  readonly outcome: 'success' | 'failure';
  readonly seconds: number;
}

export interface JobOutages {
  /** For failures of the queue database. */
  readonly database: OutageLog;
  /** For failures of jobs; the operation is the name of the job. */
  readonly jobs: OutageLog;
}

const POLL_SECONDS = 1;
/** A run that takes longer counts as lost. The next scheduled run does its work. */
const RUN_TIMEOUT_SECONDS = 120;
const RETENTION_SECONDS = 3_600;
const MAX_BATCH_SIZE = 100;
const STOP_LIMIT_MS = 5_000;
/** The operation of failures that belong to no job. */
const QUEUE_OPERATION = 'queue';

/** A queue of job runs in PostgreSQL, so that enqueued runs survive a restart. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #queues = new Set<string>();
  #started: Promise<unknown> | undefined;
  #registered: Promise<void> = Promise.resolve();
  /** Inserts of runs, by job and second. */
  readonly #inserts = new Map<string, Promise<void>>();

  constructor(private readonly options: JobQueueOptions) {
    this.#boss = new PgBoss({ ...bossOptions(options), migrate: false });
    this.#boss.on('error', (error) => this.#report(asError(error), QUEUE_OPERATION));
  }

  /** Creates or updates the database schema of the queue. */
  static async install(database: DataSource): Promise<void> {
    const boss = new PgBoss({ ...bossOptions({ database }), supervise: false, schedule: false });
    boss.on('error', () => undefined);
    await boss.start();
    await boss.stop({ graceful: false });
  }

  /**
   * Starts to run a job: on its schedule and when it is enqueued. Jobs are registered one after the other, so that they do
   * not wait for each other's connections longer than a connection may take.
   */
  register(job: Job): Promise<void> {
    this.#registered = this.#registered.then(() => this.#register(job));
    return this.#registered;
  }

  async #register({ name, run, cron }: Job): Promise<void> {
    this.#started ??= this.#boss.start();
    await this.#started;
    await this.#boss.createQueue(name, {
      retryLimit: 0,
      expireInSeconds: RUN_TIMEOUT_SECONDS,
      deleteAfterSeconds: RETENTION_SECONDS,
    });
    this.#queues.add(name);
    await this.#boss.schedule(name, cron);
    await this.#boss.work(name, { pollingIntervalSeconds: POLL_SECONDS, batchSize: MAX_BATCH_SIZE }, () =>
      this.#run(name, run),
    );
  }

  /**
   * Removes the schedule and the waiting runs of a job that instances ran with other settings: without an instance that
   * runs them, they would pile up. It does nothing for an unknown job.
   */
  remove(name: string): Promise<void> {
    this.#registered = this.#registered.then(() => this.#remove(name));
    return this.#registered;
  }

  async #remove(name: string): Promise<void> {
    this.#started ??= this.#boss.start();
    await this.#started;
    if (!(await this.#boss.getQueue(name))) return;
    await this.#boss.unschedule(name);
    await this.#boss.deleteQueuedJobs(name);
  }

  async #run(name: string, run: Job['run']): Promise<void> {
    const startedAt = performance.now();
    const end = (outcome: JobRun['outcome']) =>
      this.options.onRun?.({ job: name, outcome, seconds: (performance.now() - startedAt) / 1_000 });
    try {
      await run();
      this.options.outages?.jobs.succeeded(name);
      end('success');
    } catch (error) {
      this.#report(error, name);
      end('failure');
    }
  }

  /** Takes no new runs and waits up to 5 s for the current ones. */
  async stop(): Promise<void> {
    await this.#boss.stop({ timeout: STOP_LIMIT_MS });
  }

  /**
   * Enqueues a run of a job after a delay. The run is stored when the promise resolves. Runs for the same second are
   * combined into one at the end of that second. It does nothing for a job that is not registered.
   * @throws {DatabaseUnavailable}
   */
  async enqueue(name: string, afterSeconds: number): Promise<void> {
    if (!this.#queues.has(name)) return;
    const second = Math.ceil(performance.now() / 1_000 + afterSeconds);
    const key = `${name} ${second}`;
    let inserted = this.#inserts.get(key);
    if (!inserted) {
      this.#inserts.set(key, (inserted = this.#insert(name, second)));
      // After that time the stored run may have finished, so a later call needs a new one.
      setTimeout(() => this.#inserts.delete(key), afterSeconds * 1_000).unref();
    }
    try {
      await inserted;
    } catch (error) {
      this.#inserts.delete(key);
      throw translatePostgresError(error);
    }
  }

  async #insert(name: string, second: number): Promise<void> {
    const startAfter = Math.max(0, Math.ceil(second - performance.now() / 1_000));
    const began = performance.now();
    const { enqueuing } = this.options;
    const db = enqueuing && { executeSql: (text: string, values?: unknown[]) => queryOn(enqueuing, text, values) };
    await this.#boss.send(name, null, { startAfter, ...(db && { db }) });
    this.options.onStored?.(performance.now() - began);
  }

  /** Reports an unavailable database as such, because it fails every job and no job causes it. */
  #report(error: unknown, operation: string): void {
    if (translatePostgresError(error) instanceof DatabaseUnavailable) {
      this.options.outages?.database.failed(error, DATABASE_OPERATION);
    } else this.options.outages?.jobs.failed(error, operation);
  }
}

/** pg-boss reports some errors as plain objects with the fields of an error. */
function asError(reported: Error): Error {
  return isError(reported) ? reported : Object.assign(new Error(), reported);
}

function bossOptions({ database, outages }: JobQueueOptions) {
  const executeSql = async (text: string, values?: unknown[]) => {
    const result = await poolOf(database).query(text, values);
    outages?.database.succeeded(DATABASE_OPERATION);
    return result;
  };
  return { db: { executeSql } };
}

function queryOn(database: Pick<Database, 'run' | 'source'>, text: string, values?: unknown[]) {
  return database.run(() => poolOf(database.source).query(text, values));
}

/** The pool of the driver: results of TypeORM lack fields that pg-boss reads after an update. */
function poolOf({ driver }: DataSource): { query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> } {
  return (driver as unknown as { master: ReturnType<typeof poolOf> }).master;
}
