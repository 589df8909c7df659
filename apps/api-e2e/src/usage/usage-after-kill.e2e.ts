import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UsageMonth } from '@homeport/usage/contracts';
import { ApiFixture } from '../apps/api-fixture';
import type { MemberClient } from '../apps/member-client';
import { callAt } from '../homeport';
import { queryOnce } from '../reliability/query-once';
import { isFull, until } from '../suites';

const KILLS = 2;
const CLIENTS = 8;
/** Calls before each kill: the load lasts longer than a second. */
const CALLS = 2_000;
/** The counts of the last second are only in memory, and a file is written while others are counted. */
const MAX_LOST_MS = 1_500;

describe('usage of an API that is killed under load', () => {
  let fixture: ApiFixture;
  let member: MemberClient;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-usage-kill-'));
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    member = await fixture.member(`northwind-${randomUUID()}`);
  });
  afterAll(async () => {
    await fixture?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = () => fixture.api({ USAGE_SPOOL_DIR: folder });
  const spooled = async () => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json'));
  /**
   * A time before which all counts were in the spool. Each file has all counts until the one before it was written, so a
   * busy machine that writes late loses the counts of more than a second.
   */
  const spooledUntil = async (): Promise<number> => {
    const files = (await spooled()).map((name) => stat(join(folder, name)));
    const times = (await Promise.all(files)).map(({ mtimeMs }) => mtimeMs).toSorted((one, other) => other - one);
    return times[1] ?? 0;
  };
  /** Sends calls until the API dies. @returns the times of the successful ones. */
  const load = async (url: string, onCall: (calls: number) => void) => {
    const times: number[] = [];
    const client = async () => {
      for (;;) {
        const answered = await callAt(url, '/api/files', { token: member.token }).then(
          async (response) => response.status === 200 && (await response.arrayBuffer(), true),
          () => undefined,
        );
        if (answered === undefined) return;
        if (answered) onCall(times.push(Date.now()));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return times;
  };

  it('loses at most the calls of its last second, and counts none twice', async () => {
    let [accepted, lastSeconds] = [0, 0];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const api = await start();
      const times = await load(api.url, (calls) => {
        if (calls === CALLS) void api.kill();
      });
      const killedAt = times.at(-1) ?? 0;
      const kept = Math.min(killedAt - MAX_LOST_MS, isFull ? killedAt : await spooledUntil());
      accepted += times.length;
      lastSeconds += times.filter((time) => time > kept).length;
    }
    const survivor = await start();
    const counted = async () => {
      const response = await callAt(survivor.url, '/api/usage', { token: member.token });
      const { lines } = (await response.json()) as UsageMonth;
      return Number(lines.find(({ item }) => item === 'gateway-call')?.quantity);
    };
    await until(async () => (await spooled()).length === 0);
    const lost = accepted - (await counted());
    process.stdout.write(`usage after ${KILLS} kills: ${accepted} calls accepted, ${lost} not counted\n`);
    // A call can be counted although its client saw no answer.
    expect(lost).toBeGreaterThanOrEqual(-KILLS * CLIENTS);
    expect(lost).toBeLessThanOrEqual(lastSeconds);
    const processes = await queryOnce(fixture.env['DATABASE_URL'] as string, 'select process from usage.deliveries');
    expect(processes.length).toBeGreaterThanOrEqual(KILLS);
  });
});
