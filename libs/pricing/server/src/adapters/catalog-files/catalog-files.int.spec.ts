import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseCatalog } from '../../domain/parse-catalog';
import { CatalogUnavailable } from '../../domain/pricing.errors';
import { readCatalog } from './catalog-files';

const SHIPPED = fileURLToPath(new URL('../../../../catalog', import.meta.url));
const FILES = ['legacy.json', 'signup.json', 'billing-rules.json', 'usage/2026-10-01.json'];

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  await cp(SHIPPED, folder, { recursive: true });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function problems(): Promise<readonly string[]> {
  const error: unknown = await readCatalog(folder).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CatalogUnavailable);
  return (error as CatalogUnavailable).problems;
}

describe('readCatalog', () => {
  it('reads the shipped catalog, which is complete', async () => {
    const { cards, legacy } = parseCatalog(await readCatalog(SHIPPED));
    expect(cards.map(({ version }) => version)).toContain('2026-10-01');
    expect(legacy.plans.map(({ id }) => id)).toEqual(['starter', 'workforce']);
  });

  it('reads every card, and ignores other files', async () => {
    await writeFile(join(folder, 'usage/2027-01-01.json'), '{}');
    await writeFile(join(folder, 'usage/README.md'), 'not a card');
    expect(Object.keys((await readCatalog(folder)).usage)).toEqual(['2026-10-01.json', '2027-01-01.json']);
  });

  it.each(FILES.slice(0, 3))('reports that %s is missing', async (file) => {
    await rm(join(folder, file));
    expect(await problems()).toEqual([expect.stringContaining(`${file}: ENOENT`)]);
  });

  it.each(FILES)('reports that %s is not valid JSON', async (file) => {
    for (const text of ['', '{']) {
      await writeFile(join(folder, file), text);
      expect(await problems()).toEqual([expect.stringMatching(`^${file}: `)]);
    }
  });

  it('reports all unreadable files at once', async () => {
    for (const file of FILES) await writeFile(join(folder, file), '{');
    expect(await problems()).toEqual(FILES.toSorted().map((file) => expect.stringMatching(`^${file}: `)));
  });

  it('reports that the folder of cards is missing', async () => {
    await rm(join(folder, 'usage'), { recursive: true });
    expect(await problems()).toEqual([expect.stringContaining('usage: ENOENT')]);
  });

  it('does not expose file names in the error message for API clients', async () => {
    await rm(join(folder, 'signup.json'));
    await expect(readCatalog(folder)).rejects.toThrow('Pricing is temporarily unavailable.');
  });
});
