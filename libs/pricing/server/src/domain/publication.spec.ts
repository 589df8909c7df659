import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { firstRevision, withCard } from '../testing/revisions';
import { type CardFields, shippedCard, shippedCatalog } from '../testing/shipped-catalog';
import type { RawCatalog } from './parse-catalog';
import { CatalogUnavailable, PublicationRefused } from './pricing.errors';
import { planPublication } from './publication';
import { verifyRevision, type Revision } from './revision';

const NOW = new Date('2026-11-21T12:00:00.500Z');
const NEXT = '2027-01-01T00:00:00Z';
const first = firstRevision();

interface Circumstances {
  readonly published?: readonly Revision[];
  readonly areLargeChangesAllowed?: boolean;
  readonly now?: Date;
}

function plan(source: RawCatalog, { published = [first], now = NOW, ...more }: Circumstances = {}): Revision[] {
  return planPublication(source, { published, now, ...more });
}

function versionsOf(revisions: readonly Revision[]): string[] {
  return revisions.map(({ version }) => version);
}

function reworded(catalog: RawCatalog): RawCatalog {
  const free = { label: 'Begin', url: 'https://example.com/' };
  return { ...catalog, signup: { ...(catalog.signup as object), free } };
}

function refusal(source: RawCatalog, circumstances?: Circumstances): readonly string[] {
  try {
    plan(source, circumstances);
  } catch (error) {
    expect(error).toBeInstanceOf(PublicationRefused);
    return (error as PublicationRefused).problems;
  }
  return [];
}

describe('planPublication', () => {
  it('has nothing to do for what is published', () => {
    expect(plan(shippedCatalog())).toEqual([]);
    const published = [first, ...plan(withCard(NEXT))];
    expect(plan(withCard(NEXT), { published })).toEqual([]);
  });

  it('announces a card at once, and serves it when it begins', () => {
    const revisions = plan(withCard(NEXT));
    expect(revisions.map(({ version, effectiveAt, pricesFrom }) => [version, effectiveAt, pricesFrom])).toEqual([
      ['2026-11-21', new Date('2026-11-21T12:00:04Z'), null],
      ['2027-01-01', new Date(NEXT), new Date(NEXT)],
    ]);
    const [announcement, change] = revisions.map((revision) => verifyRevision(revision).statement);
    expect(announcement).toMatchObject({
      version: '2026-11-21',
      generatedAt: '2026-11-21T12:00:04Z',
      usage: { version: '2026-10-01', includedUsd: 10 },
      upcoming: [{ version: '2027-01-01', includedUsd: 12 }],
    });
    expect(change).toMatchObject({ usage: { version: '2027-01-01', includedUsd: 12 }, upcoming: [] });
  });

  it('publishes words at once, and again for every card to come', () => {
    const published = [first, ...plan(withCard(NEXT))];
    const revisions = plan(reworded(withCard(NEXT)), { published });
    expect(versionsOf(revisions)).toEqual(['2026-11-21.2', '2027-01-01.2']);
    for (const revision of revisions) expect(verifyRevision(revision).statement.signup.free.label).toBe('Begin');
  });

  it('publishes words again for a card whose version has a number itself', () => {
    const catalog = withCard(NEXT, { version: '2027-01-01.2' });
    const published = [first, ...plan(catalog)];
    expect(versionsOf(plan(reworded(catalog), { published }))).toEqual(['2026-11-21.2', '2027-01-01.3']);
  });

  it('publishes words while a card that was announced in time is about to begin', () => {
    const published = [first, ...plan(withCard(NEXT))];
    const now = new Date(Date.parse(NEXT) - 60_000);
    const revisions = plan(reworded(withCard(NEXT)), { published, now });
    expect(versionsOf(revisions)).toEqual(['2026-12-31', '2027-01-01.2']);
    expect(revisions.map(({ pricesFrom }) => pricesFrom)).toEqual([null, null]);
  });

  it('refuses a catalog that is not whole, with all that is wrong', () => {
    expect(() => plan({ ...shippedCatalog(), legacy: {} })).toThrow(CatalogUnavailable);
  });

  it.each([
    ['2026-11-21T11:00:00Z', false],
    ['2026-11-21T12:10:00Z', false],
    ['2026-11-21T12:10:03Z', false],
    ['2026-11-21T12:10:04Z', true],
  ])('has ten minutes between the announcement and a card from %s on: %s', (begin, isAccepted) => {
    const problems = refusal(withCard(begin, { version: '2026-11-21.9' }));
    expect(problems.length === 0).toBe(isAccepted);
    if (!isAccepted) expect(problems[0]).toContain('10 minutes');
  });

  it('refuses a card before one that was announced', () => {
    const published = [first, ...plan(withCard(NEXT))];
    const catalog = withCard(NEXT);
    const between = withCard('2026-12-01T00:00:00Z').usage['2026-12-01.json'] as CardFields;
    const usage = { ...catalog.usage, '2026-12-01.json': between };
    expect(refusal({ ...catalog, usage }, { published })).toEqual([
      'usage/2026-12-01.json: begins before a card that is already published',
    ]);
  });

  it('refuses to take back or to change a card', () => {
    const published = [first, ...plan(withCard(NEXT))];
    expect(refusal(shippedCatalog(), { published })).toEqual([
      'usage/2027-01-01.json: is gone, but was published; add a card instead',
    ]);
    expect(refusal(withCard(NEXT, { includedUsd: '13' }), { published })).toEqual([
      'usage/2027-01-01.json: is not as it was published; add a card instead',
    ]);
    const relabelled = { ...shippedCard(), domains: { standardUsd: '11', premiumUsd: '50' } };
    expect(refusal({ ...shippedCatalog(), usage: { '2026-10-01.json': relabelled } })).toHaveLength(1);
  });

  it.each([
    ['the price of a plan', 'plans.starter.monthlyUsd', (at: Fields) => (child(at, 'plans', 0)['monthlyUsd'] = '50')],
    ['a rung', 'agentRungs.small.monthlyUsd', (at: Fields) => (child(at, 'agentRungs', 0)['monthlyUsd'] = '21')],
    ['an add-on', 'addOns.outpost.monthlyUsd', (at: Fields) => (child(at, 'addOns', 'outpost')['monthlyUsd'] = '98')],
    [
      'what is included',
      'includedPerMonth',
      (at: Fields) => (child(at, 'addOns', 'meetingHours')['includedPerMonth'] = 9),
    ],
    ['when a rule ends', 'grandfatherRule.until', (at: Fields) => (child(at, 'grandfatherRule')['until'] = NEXT)],
    [
      'when a rung closes',
      'agentRungs.small.newSignupsUntil',
      (at: Fields) => (child(at, 'agentRungs', 0)['newSignupsUntil'] = '2026-09-01T00:00:00Z'),
    ],
  ])('refuses to change %s of legacy customers', (_what, place, change) => {
    const catalog = shippedCatalog();
    change(catalog.legacy as Fields);
    const [problem, ...more] = refusal(catalog);
    expect(problem).toContain(`legacy.json: `);
    expect(problem).toContain(place);
    expect(more).toEqual([]);
  });

  it('refuses to change a rule, and lets its words be changed', () => {
    const catalog = shippedCatalog();
    child(catalog.billingRules as Fields, 'cancellation')['refunds'] = 'prorated';
    expect(refusal(catalog)).toEqual(['billing-rules.json: cancellation.refunds was published as "none" and stays so']);
    const words = shippedCatalog();
    child(words.billingRules as Fields, 'cancellation')['statement'] = 'Cancel whenever you like.';
    expect(plan(words)).toHaveLength(1);
  });

  it.each([
    ['storage at ten times the price', { unitUsd: '0.5' }, 0],
    ['storage at more than ten times the price', { unitUsd: '0.51' }, 1],
    ['storage at less than a tenth', { unitUsd: '0.0049' }, 1],
  ])('asks before it publishes %s', (_what, change, count) => {
    const { meters } = shippedCard();
    const catalog = withCard(NEXT, {
      meters: meters.map((meter) => (meter['id'] === 'storage' ? { ...meter, ...change } : meter)),
    });
    expect(refusal(catalog)).toHaveLength(count);
    expect(refusal(catalog, { areLargeChangesAllowed: true })).toEqual([]);
  });

  it('asks before it publishes a box at less than a tenth of the price', () => {
    const [small, ...larger] = shippedCard().boxes;
    expect(refusal(withCard(NEXT, { boxes: [{ ...small, monthlyUsd: '2' }, ...larger] }))).toEqual([
      'usage/2027-01-01.json: box small changes more than 10-fold, from 25 to 2 USD',
    ]);
  });

  it('refuses what would break readers of an earlier statement, whatever the code has become', () => {
    const statement = JSON.parse(first.body.toString()) as Fields;
    const more = Buffer.from(JSON.stringify({ ...statement, formerly: 'here' }));
    const [older] = [{ ...first, body: more, sha256: sha256Of(more) }];
    expect(refusal(withCard(NEXT), { published: [older as Revision] })).toEqual([
      '2026-11-21 breaks readers of 2026-10-01: $.formerly: is gone',
      '2027-01-01 breaks readers of 2026-10-01: $.formerly: is gone',
    ]);
  });
});

type Fields = Record<string | number, unknown>;

function child(node: Fields, ...place: (string | number)[]): Fields {
  return place.reduce<Fields>((each, key) => each[key] as Fields, node);
}

function sha256Of(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
