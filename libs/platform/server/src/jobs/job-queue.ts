import { PgBoss } from 'pg-boss';
import type { DataSource } from 'typeorm';
import { DATABASE_OPERATION } from '../database/database';
import { translateDatabaseError } from '../database/database-errors';
import type { OutageLog } from '../observability/outage-log';
import { DatabaseUnavailable } from '../problems/platform.errors';

/** Work that is done by whichever instance comes first. */
export interface Job {
  /** `<domain>.<kebab-case>`. */
  readonly name: string;
  /**
   * Does whatever there is to do. A call says only that it is time to look: several calls may become one, one may be
   * repeated, and two instances may be called at once.
   */
  readonly run: () => Promise<void>;
  /** When it is called in any case, in the syntax of cron, UTC. */
  readonly cron: string;
}

export interface JobQueueOptions {
  readonly database: DataSource;
  /** Told when the queue or a job fails and works again; neither ends the process. */
  readonly outages?: JobOutages;
}

export interface JobOutages {
  /** The database the queue is kept in. */
  readonly database: OutageLog;
  /** The jobs themselves, each an operation under its name. */
  readonly jobs: OutageLog;
}

const POLL_SECONDS = 1;
/** A call that nobody comes back from is taken for lost, and the next one by the clock does its work. */
const RUN_TIMEOUT_SECONDS = 120;
const RETENTION_SECONDS = 3_600;
const MAX_BATCH_SIZE = 100;
const STOP_LIMIT_MS = 5_000;
/** Of failures that belong to no job. */
const QUEUE_OPERATION = 'queue';

/** Calls for work, kept in PostgreSQL: they survive the process. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #queues = new Set<string>();
  #started: Promise<unknown> | undefined;
  /** Calls that have been sent, by job and second. */
  readonly #calls = new Map<string, Promise<void>>();

  constructor(private readonly options: JobQueueOptions) {
    this.#boss = new PgBoss({ ...bossOptions(options), migrate: false });
    this.#boss.on('error', (error) => this.#report(error, QUEUE_OPERATION));
  }

  /** Makes or brings up to date what the queue keeps in the database. */
  static async install(database: DataSource): Promise<void> {
    const boss = new PgBoss({ ...bossOptions({ database }), supervise: false, schedule: false });
    boss.on('error', () => undefined);
    await boss.start();
    await boss.stop({ graceful: false });
  }

  /** Begins to do a job. */
  async register({ name, run, cron }: Job): Promise<void> {
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
      run().then(
        () => this.options.outages?.jobs.succeeded(name),
        (error: unknown) => this.#report(error, name),
      ),
    );
  }

  /** Finishes what is being done, up to 5 s, and takes up nothing new. */
  async stop(): Promise<void> {
    await this.#boss.stop({ timeout: STOP_LIMIT_MS });
  }

  /**
   * Calls for a job when so much time has passed; the call is kept when this returns. Calls of the same second are one,
   * at its end. Before the job is taken, the clock alone calls.
   */
  async enqueue(name: string, afterSeconds: number): Promise<void> {
    if (!this.#queues.has(name)) return;
    const second = Math.ceil(performance.now() / 1_000 + afterSeconds);
    const key = `${name} ${second}`;
    let sent = this.#calls.get(key);
    if (!sent) {
      this.#calls.set(key, (sent = this.#send(name, second)));
      // Later ones of this second could come when it has been answered already.
      setTimeout(() => this.#calls.delete(key), afterSeconds * 1_000).unref();
    }
    try {
      await sent;
    } catch (error) {
      this.#calls.delete(key);
      throw translateDatabaseError(error);
    }
  }

  async #send(name: string, second: number): Promise<void> {
    const startAfter = Math.max(0, Math.ceil(second - performance.now() / 1_000));
    await this.#boss.send(name, null, { startAfter });
  }

  /** A database that is unavailable fails every job, and is the cause of none. */
  #report(error: unknown, operation: string): void {
    if (translateDatabaseError(error) instanceof DatabaseUnavailable) {
      this.options.outages?.database.failed(error, DATABASE_OPERATION);
    } else this.options.outages?.jobs.failed(error, operation);
  }
}

function bossOptions({ database, outages }: JobQueueOptions) {
  const executeSql = async (text: string, values?: unknown[]) => {
    const result = await poolOf(database).query(text, values);
    outages?.database.succeeded(DATABASE_OPERATION);
    return result;
  };
  return { db: { executeSql } };
}

/** TypeORM's own results lack what pg-boss reads of an update. */
function poolOf({ driver }: DataSource): { query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> } {
  return (driver as unknown as { master: ReturnType<typeof poolOf> }).master;
}
