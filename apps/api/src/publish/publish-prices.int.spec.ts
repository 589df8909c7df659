import 'reflect-metadata';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { publishOptionsFrom } from './publish-options';
import { publishPrices } from './publish-prices';

const SHIPPED = fileURLToPath(new URL('../../../../libs/pricing/catalog', import.meta.url));
const NEXT = '2099-01-01';

describe('the command that publishes prices', () => {
  let database: FreshDatabase;
  let folder: string;
  let printed: string[];

  beforeAll(async () => {
    [database, folder] = await Promise.all([freshDatabase(), mkdtemp(join(tmpdir(), 'catalog-'))]);
    await cp(SHIPPED, folder, { recursive: true });
    const card = JSON.parse(await readFile(join(folder, 'usage/2026-10-01.json'), 'utf8')) as object;
    const next = { ...card, version: NEXT, newSignupsFrom: `${NEXT}T00:00:00Z`, includedUsd: '12' };
    await writeFile(join(folder, `usage/${NEXT}.json`), JSON.stringify(next));
  });
  beforeEach(() => {
    printed = [];
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const publish = async (...args: string[]) => {
    const options = publishOptionsFrom(args);
    if (typeof options === 'number') return options;
    return publishPrices({ databaseUrl: database.url, options, print: (line) => void printed.push(line) });
  };

  it('publishes nothing when the shipped catalog is unchanged', async () => {
    expect(await publish('--confirm')).toBe(true);
    expect(printed).toEqual(['The catalog has no unpublished changes.']);
  });

  it('shows the changes first and publishes them once with --confirm', async () => {
    const steps = [
      `  + usage card ${NEXT} is announced, for accounts from ${NEXT}T00:00:00Z on`,
      '    ~ includedUsd: 10 → 12',
      `${NEXT}, served from ${NEXT}T00:00:00.000Z:`,
      `  ~ usage.version: "2026-10-01" → "${NEXT}"`,
    ];
    for (const [args, last] of [
      [[], 'Nothing was published. To publish these changes, add --confirm.'],
      [['--confirm', '--by', 'ada'], 'Published.'],
    ] as const) {
      printed = [];
      expect(await publish('--catalog', folder, ...args)).toBe(true);
      expect(printed).toEqual(expect.arrayContaining(steps));
      expect(printed.at(-1)).toBe(last);
    }
    printed = [];
    expect(await publish('--catalog', folder, '--confirm')).toBe(true);
    expect(printed).toEqual(['The catalog has no unpublished changes.']);
  });

  it('reports all errors and publishes nothing', async () => {
    await writeFile(join(folder, 'signup.json'), '{}');
    await writeFile(join(folder, `usage/${NEXT}.json`), '{"version":7}');
    expect(await publish('--catalog', folder, '--confirm')).toBe(false);
    const [text = ''] = printed;
    for (const location of ['signup.json: free', `usage/${NEXT}.json: version`, `usage/${NEXT}.json: meters`]) {
      expect(text).toContain(location);
    }
    printed = [];
    expect(await publish('--confirm')).toBe(false);
    expect(printed).toEqual([expect.stringContaining('was published and cannot be removed; add a new card instead')]);
  });

  it.each([['--what'], ['prices'], ['--catalog']])('publishes nothing when called with %s', async (...args) => {
    const errors = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await publish(...args)).toBe(2);
    expect(errors).toHaveBeenCalledWith(expect.stringContaining('--confirm'));
    errors.mockRestore();
  });
});
