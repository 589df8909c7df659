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
  it('reads the catalog we ship, which is whole', async () => {
    const { cards, legacy } = parseCatalog(await readCatalog(SHIPPED));
    expect(cards.map(({ version }) => version)).toContain('2026-10-01');
    expect(legacy.plans.map(({ id }) => id)).toEqual(['starter', 'workforce']);
  });

  it('reads every card there is, and no file that is none', async () => {
    await writeFile(join(folder, 'usage/2027-01-01.json'), '{}');
    await writeFile(join(folder, 'usage/README.md'), 'not a card');
    expect(Object.keys((await readCatalog(folder)).usage)).toEqual(['2026-10-01.json', '2027-01-01.json']);
  });

  it.each(FILES.slice(0, 3))('says that %s is not there', async (file) => {
    await rm(join(folder, file));
    expect(await problems()).toEqual([expect.stringContaining(`${file}: ENOENT`)]);
  });

  it.each(FILES)('says that %s is no JSON', async (file) => {
    for (const text of ['', '{']) {
      await writeFile(join(folder, file), text);
      expect(await problems()).toEqual([expect.stringMatching(`^${file}: `)]);
    }
  });

  it('names everything that cannot be read, at once', async () => {
    for (const file of FILES) await writeFile(join(folder, file), '{');
    expect(await problems()).toEqual(FILES.toSorted().map((file) => expect.stringMatching(`^${file}: `)));
  });

  it('says that there are no cards', async () => {
    await rm(join(folder, 'usage'), { recursive: true });
    expect(await problems()).toEqual([expect.stringContaining('usage: ENOENT')]);
  });

  it('says it to operators, and not to those who ask for prices', async () => {
    await rm(join(folder, 'signup.json'));
    await expect(readCatalog(folder)).rejects.toThrow('The prices cannot be stated right now.');
  });
});
