import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CatalogUnavailable } from '../domain/pricing.errors';
import { InMemoryBillingCatalog, shippedCard, shippedCatalog } from '../testing';
import { PriceBook } from './price-book';

const card = shippedCard();
const raw = shippedCatalog();
const bookAt = (instant: string, catalog: typeof raw = raw) =>
  new PriceBook(new InMemoryBillingCatalog(catalog), () => new Date(instant));

describe('PriceBook', () => {
  it('states the same bytes at any time and on every instance', async () => {
    const one = await bookAt('2026-10-01T00:00:00Z').statement();
    const other = await bookAt('2031-05-05T05:05:05.555Z').statement();
    expect(other.body.equals(one.body)).toBe(true);
    expect(other.etag).toBe(one.etag);
  });

  it('tags the bytes strongly, by what they are', async () => {
    const { body, etag } = await bookAt('2026-10-01T00:00:00Z').statement();
    expect(etag).toBe(`"${createHash('sha256').update(body).digest('base64url')}"`);
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(JSON.parse(body.toString('utf8'))).toMatchObject({ version: '2026-10-01', currency: 'USD' });
  });

  it('tags other prices otherwise', async () => {
    const dearer = { ...raw, usage: { '2026-10-01.json': { ...card, includedUsd: '11' } } };
    const [one, other] = [bookAt('2026-10-01T00:00:00Z'), bookAt('2026-10-01T00:00:00Z', dearer)];
    expect((await other.statement()).etag).not.toBe((await one.statement()).etag);
  });

  it('states all or nothing', async () => {
    await expect(bookAt('2026-09-30T23:59:59.999Z').statement()).rejects.toBeInstanceOf(CatalogUnavailable);
    const broken = { ...raw, signup: { ...raw.signup, free: null } };
    await expect(bookAt('2026-10-01T00:00:00Z', broken).statement()).rejects.toBeInstanceOf(CatalogUnavailable);
  });

  it('goes by the clock of the instance when it is given none', async () => {
    const begun = { ...card, newSignupsFrom: '2020-01-01T00:00:00Z' };
    const book = new PriceBook(new InMemoryBillingCatalog({ ...raw, usage: { '2026-10-01.json': begun } }));
    expect(JSON.parse(String((await book.statement()).body))).toMatchObject({ generatedAt: '2020-01-01T00:00:00Z' });
  });
});
