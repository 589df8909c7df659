import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { embeddedServices } from '@homeport/platform/server/testing';
import { loadConfig } from './config';
import { databaseOptions } from './database-options';
import { overdueWorkLog } from './overdue-work';

describe('the log of overdue work on PostgreSQL', () => {
  const options = databaseOptions(loadConfig(embeddedServices()));
  let background: Database;
  beforeAll(async () => {
    await migrate(options);
    background = await createDatabase({ ...options, poolSize: 2 }).open();
  });
  afterAll(() => background.close());

  it('reads the figures of jobs, records, months and this instance', async () => {
    const lines: unknown[] = [];
    const log = { warn: (fields: object) => lines.push(fields), error: (fields: object) => lines.push(fields) };
    const usage = { metering: { recorder: { secondsBehind: 901 } } };
    await overdueWorkLog({ background, usage } as never, log as never).check();
    expect(lines.filter((line) => 'err' in (line as object))).toEqual([]);
    expect(lines).toContainEqual({ figure: 'homeport_usage_behind_seconds', value: 901 });
  });
});
