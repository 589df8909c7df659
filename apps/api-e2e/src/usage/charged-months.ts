import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BillingPeriod, type ChargedMonth } from '@homeport/usage/contracts';
import { ApiFixture } from '../apps/api-fixture';
import type { MemberClient } from '../apps/member-client';
import { callAt } from '../homeport';
import type { ApiProcess } from '../product-processes';
import { queryOnce } from '../reliability/query-once';
import { until } from '../suites';
import { charges, type CommandResult } from './charges-command';
import { shiftDatabaseClock } from './database-clock';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const PRELOAD = pathToFileURL(join(import.meta.dirname, '../shifted-clock.mjs')).href;

/** An organization that uses Homeport for two months, on instances whose clocks are set. */
export class ChargedMonths {
  /** Not the current month, so that the trial ends in the second month on every date. */
  readonly first = BillingPeriod.containing(new Date()).next();
  readonly second = this.first.next();
  #now = Date.now();
  #apis: ApiProcess[] = [];

  private constructor(
    readonly fixture: ApiFixture,
    readonly member: MemberClient,
  ) {}

  static async open(): Promise<ChargedMonths> {
    const fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    // Without a time of issue, and valid on the clocks of all instances.
    const exp = Math.floor((Date.now() + 200 * DAY_MS) / 1_000);
    const member = await fixture.member(`northwind-${randomUUID()}`, 'one', { iat: undefined, exp });
    return new ChargedMonths(fixture, member);
  }

  /** The organization. */
  get organization(): string {
    return this.member.organization;
  }

  /** The time of the clocks, in milliseconds. */
  get now(): number {
    return this.#now;
  }

  /** The address of an instance. */
  url(instance = 0): string {
    return (this.#apis[instance] as ApiProcess).url;
  }

  /** Replaces the instances by others whose clocks, and that of PostgreSQL, show a time. */
  async moveTo(time: number, instances = 2): Promise<void> {
    await Promise.all(this.#apis.splice(0).map((api) => api.stop()));
    this.setClock(time);
    await this.moveDatabase();
    await this.addInstances(instances);
  }

  /** Sets the clock of instances that are added later. */
  setClock(time: number): void {
    this.#now = time;
  }

  /** Moves the clock of PostgreSQL to that of new instances. */
  moveDatabase(): Promise<void> {
    return shiftDatabaseClock(this.#databaseUrl, this.#now - Date.now());
  }

  async addInstances(count: number): Promise<void> {
    const added = Array.from({ length: count }, () => this.fixture.api(this.#clock));
    this.#apis.push(...(await Promise.all(added)));
  }

  /** Runs a statement in the database of the instances. */
  query<T extends object>(sql: string): Promise<T[]> {
    return queryOnce<T>(this.#databaseUrl, sql);
  }

  /** Runs a job, again and again, until a query finds a row. */
  async runJobUntil(job: string, query: string): Promise<void> {
    const enqueue = `insert into pgboss.job (name) select '${job}' where not exists (
      select from pgboss.job where name = '${job}' and state < 'active' and start_after <= now())`;
    await until(async () => {
      await this.query(enqueue);
      return (await this.query(query)).length > 0;
    });
  }

  /** A time at which a month is due. */
  dueTime(period: BillingPeriod): number {
    return period.end.getTime() + DAY_MS + MINUTE_MS;
  }

  /** The creation of the account, in the first month. */
  get startTime(): number {
    return this.first.start.getTime() + 4 * DAY_MS;
  }

  /** A time after the trial and in the second month, at which the first one is due. */
  get paidTime(): number {
    return this.startTime + 30 * DAY_MS + 2 * HOUR_MS;
  }

  call(path: string, more: Parameters<typeof callAt>[2] = {}, instance = 0): Promise<Response> {
    return callAt(this.url(instance), path, { token: this.member.token, ...more });
  }

  async read<T>(path: string, instance = 0): Promise<T> {
    const response = await this.call(path, {}, instance);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** Reports usage. @param item default: agent runs, which cost 0.02 USD each. */
  async report(quantity: number, time: number, item = 'agent-run'): Promise<void> {
    const response = await this.call('/api/usage/events', {
      method: 'POST',
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      body: JSON.stringify([
        {
          specversion: '1.0',
          id: randomUUID(),
          source: 'https://agents.example.com',
          type: 'homeport.usage',
          subject: this.organization,
          time: new Date(time).toISOString(),
          data: { item, quantity },
        },
      ]),
    });
    const body = await response.text();
    if (response.status !== 202 || !body.includes('"accepted":1')) throw new Error(`${response.status} ${body}`);
  }

  /** Waits until a month is charged. @returns the charge from each instance. */
  async charge({ name }: BillingPeriod): Promise<readonly ChargedMonth[]> {
    const path = `/api/charges/${name}`;
    await until(async () => (await this.call(path)).status === 200);
    return Promise.all(this.#apis.map((_, instance) => this.read<ChargedMonth>(path, instance)));
  }

  /** Runs a command of operators at the time of the clocks. */
  command(...args: readonly string[]): Promise<CommandResult> {
    return this.commandWith({}, ...args);
  }

  /** @param env replaces settings. */
  commandWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandResult> {
    return charges(args, { ...this.fixture.env, ...this.#clock, ...env });
  }

  get #databaseUrl(): string {
    return this.fixture.env['DATABASE_URL'] as string;
  }

  get #clock(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import ${PRELOAD}?ms=${this.#now - Date.now()}` };
  }

  close(): Promise<void> {
    return this.fixture.close();
  }
}
