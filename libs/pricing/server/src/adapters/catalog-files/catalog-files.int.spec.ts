import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PriceBook } from '../../application/price-book';
import { CatalogUnavailable } from '../../domain/pricing.errors';
import { CatalogFiles } from './catalog-files';

const SHIPPED = fileURLToPath(new URL('../../../../catalog', import.meta.url));
const FILES = ['legacy.json', 'signup.json', 'billing-rules.json', 'usage/2026-10-01.json'];

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  await cp(SHIPPED, folder, { recursive: true });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function failure(): Promise<CatalogUnavailable> {
  const error: unknown = await new CatalogFiles(folder).load().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CatalogUnavailable);
  return error as CatalogUnavailable;
}

describe('CatalogFiles', () => {
  it('loads the catalog we ship', async () => {
    const { cards, legacy } = await new CatalogFiles(SHIPPED).load();
    expect(cards.map(({ version }) => version)).toContain('2026-10-01');
    expect(legacy.plans.map(({ id }) => id)).toEqual(['starter', 'workforce']);
  });

  it('makes a statement out of it', async () => {
    const book = new PriceBook(new CatalogFiles(SHIPPED), () => new Date('2026-10-01T00:00:00Z'));
    expect(JSON.parse(String((await book.statement()).body))).toMatchObject({ version: '2026-10-01' });
  });

  it('loads every card there is, and no file that is none', async () => {
    const card = { ...(await new CatalogFiles(folder).load()).cards[0], version: '2027-01-01' };
    await writeFile(
      join(folder, 'usage/2027-01-01.json'),
      JSON.stringify({ ...card, newSignupsFrom: '2027-01-01T00:00:00Z' }),
    );
    await writeFile(join(folder, 'usage/README.md'), 'not a card');
    const { cards } = await new CatalogFiles(folder).load();
    expect(cards.map(({ version }) => version)).toEqual(['2026-10-01', '2027-01-01']);
  });

  it('sees an edited file the next time', async () => {
    const catalog = new CatalogFiles(folder);
    await catalog.load();
    await writeFile(join(folder, 'signup.json'), '{}');
    await expect(catalog.load()).rejects.toBeInstanceOf(CatalogUnavailable);
  });

  it.each(FILES)('is unavailable without %s', async (file) => {
    await rm(join(folder, file));
    await failure();
  });

  it.each(FILES)('is unavailable while %s is no JSON', async (file) => {
    for (const text of ['', '{', 'null', '[]']) {
      await writeFile(join(folder, file), text);
      await failure();
    }
  });

  it.each(['', 'usage'])('is unavailable without its folder %j', async (part) => {
    await rm(join(folder, part), { recursive: true });
    const error = await failure();
    expect(error.message).not.toContain(folder);
    expect(error.cause).toMatchObject({ code: 'ENOENT' });
  });

  it('says for operators, and for them only, what is wrong and where', async () => {
    await writeFile(join(folder, 'signup.json'), '{}');
    const error = await failure();
    expect((error.cause as Error).message).toContain('signup.json: free');
    expect(error.message).not.toContain('signup');
  });
});
