import { InMemoryPriceRevisions, PriceBook, PricePublisher } from '@homeport/pricing/server';
import { type CardFields, Estimates, firstRevision, shippedCard, withCard } from '@homeport/pricing/server/testing';

type Revision = ReturnType<typeof firstRevision>;

const [SECOND_FROM, THIRD_FROM] = ['2027-03-01T00:00:00Z', '2028-02-29T12:00:00Z'];

const meterPrices: Readonly<Record<string, string>> = { 'agent-run': '0.0175', 'tool-call': '0.001234567' };

/** Other prices and a shorter trial. */
const second = withCard(SECOND_FROM, {
  includedUsd: '12.34',
  trial: { days: 14, capUsd: '120.55' },
  meters: shippedCard().meters.map((meter) => ({
    ...meter,
    unitUsd: meterPrices[meter['id'] as string] ?? meter['unitUsd'],
  })),
  domains: { standardUsd: '12', premiumUsd: '60' },
});
/** Takes effect on a leap day, with a trial of more than a month and without an included amount. */
const third = withCard(THIRD_FROM, {
  includedUsd: '0',
  trial: { days: 45, capUsd: '1000' },
  boxes: shippedCard().boxes.map((box) => ({ ...box, monthlyUsd: '33.33' })),
});
const catalog = { ...second, usage: { ...second.usage, ...third.usage } };

/** The published cards as they are written in the catalog, oldest first. */
export const CARDS: readonly CardFields[] = Object.values(catalog.usage);

/** The second card is published in the first year and the third one in the second year. */
async function publish(): Promise<readonly Revision[]> {
  let at = new Date('2026-10-05T09:00:00Z');
  const revisions = new InMemoryPriceRevisions([firstRevision()], () => at);
  const options = { publisher: 'ada', isDryRun: false, areLargeChangesAllowed: true };
  await new PricePublisher(revisions).publish(second, options);
  at = new Date('2027-12-31T23:59:59Z');
  await new PricePublisher(revisions).publish(catalog, options);
  const published = await Promise.all((await revisions.list()).map(({ version }) => revisions.find(version)));
  return published.filter((revision) => revision !== undefined);
}

let published: Promise<readonly Revision[]> | undefined;

/** The published prices with a clock. */
export async function publishedPrices(now: () => Date): Promise<InMemoryPriceRevisions> {
  published ??= publish();
  return new InMemoryPriceRevisions(await published, now);
}

/** The estimates that the API made while a card was in effect. */
export async function estimatesWith({ newSignupsFrom }: CardFields): Promise<Estimates> {
  const at = new Date(newSignupsFrom as string);
  return new Estimates(new PriceBook(await publishedPrices(() => at)));
}
