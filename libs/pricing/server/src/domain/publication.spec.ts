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

interface PlanOptions {
  readonly published?: readonly Revision[];
  readonly areLargeChangesAllowed?: boolean;
  readonly now?: Date;
}

function plan(source: RawCatalog, { published = [first], now = NOW, ...more }: PlanOptions = {}): Revision[] {
  return planPublication(source, { published, now, ...more });
}

function versionsOf(revisions: readonly Revision[]): string[] {
  return revisions.map(({ version }) => version);
}

function reworded(catalog: RawCatalog): RawCatalog {
  const free = { label: 'Begin', url: 'https://example.com/' };
  return { ...catalog, signup: { ...(catalog.signup as object), free } };
}

function problemsOf(source: RawCatalog, options?: PlanOptions): readonly string[] {
  try {
    plan(source, options);
  } catch (error) {
    expect(error).toBeInstanceOf(PublicationRefused);
    return (error as PublicationRefused).problems;
  }
  return [];
}

describe('planPublication', () => {
  it('plans nothing for a published catalog', () => {
    expect(plan(shippedCatalog())).toEqual([]);
    const published = [first, ...plan(withCard(NEXT))];
    expect(plan(withCard(NEXT), { published })).toEqual([]);
  });

  it('announces a card at once, and makes it current on its start date', () => {
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

  it('publishes changed texts at once, and again for every upcoming card', () => {
    const published = [first, ...plan(withCard(NEXT))];
    const revisions = plan(reworded(withCard(NEXT)), { published });
    expect(versionsOf(revisions)).toEqual(['2026-11-21.2', '2027-01-01.2']);
    for (const revision of revisions) expect(verifyRevision(revision).statement.signup.free.label).toBe('Begin');
  });

  it('increments the number of a version that already has one', () => {
    const catalog = withCard(NEXT, { version: '2027-01-01.2' });
    const published = [first, ...plan(catalog)];
    expect(versionsOf(plan(reworded(catalog), { published }))).toEqual(['2026-11-21.2', '2027-01-01.3']);
  });

  it('publishes changed texts shortly before an announced card starts', () => {
    const published = [first, ...plan(withCard(NEXT))];
    const now = new Date(Date.parse(NEXT) - 60_000);
    const revisions = plan(reworded(withCard(NEXT)), { published, now });
    expect(versionsOf(revisions)).toEqual(['2026-12-31', '2027-01-01.2']);
    expect(revisions.map(({ pricesFrom }) => pricesFrom)).toEqual([null, null]);
  });

  it('rejects an invalid catalog', () => {
    expect(() => plan({ ...shippedCatalog(), legacy: {} })).toThrow(CatalogUnavailable);
  });

  it.each([
    ['2026-11-21T11:00:00Z', false],
    ['2026-11-21T12:10:00Z', false],
    ['2026-11-21T12:10:03Z', false],
    ['2026-11-21T12:10:04Z', true],
  ])('requires ten minutes of notice for a card from %s: accepted %s', (begin, isAccepted) => {
    const problems = problemsOf(withCard(begin, { version: '2026-11-21.9' }));
    expect(problems.length === 0).toBe(isAccepted);
    if (!isAccepted) expect(problems[0]).toContain('10 minutes');
  });

  it('rejects a card that starts before an announced card', () => {
    const published = [first, ...plan(withCard(NEXT))];
    const catalog = withCard(NEXT);
    const between = withCard('2026-12-01T00:00:00Z').usage['2026-12-01.json'] as CardFields;
    const usage = { ...catalog.usage, '2026-12-01.json': between };
    expect(problemsOf({ ...catalog, usage }, { published })).toEqual([
      'usage/2026-12-01.json: begins before a card that is already published',
    ]);
  });

  it('rejects a removed or changed card', () => {
    const published = [first, ...plan(withCard(NEXT))];
    expect(problemsOf(shippedCatalog(), { published })).toEqual([
      'usage/2027-01-01.json: was published and cannot be removed; add a new card instead',
    ]);
    expect(problemsOf(withCard(NEXT, { includedUsd: '13' }), { published })).toEqual([
      'usage/2027-01-01.json: was published and cannot be changed; add a new card instead',
    ]);
    const relabelled = { ...shippedCard(), domains: { standardUsd: '11', premiumUsd: '50' } };
    expect(problemsOf({ ...shippedCatalog(), usage: { '2026-10-01.json': relabelled } })).toHaveLength(1);
  });

  it.each([
    ['the price of a plan', 'plans.starter.monthlyUsd', (at: Fields) => (child(at, 'plans', 0)['monthlyUsd'] = '50')],
    ['a rung', 'agentRungs.small.monthlyUsd', (at: Fields) => (child(at, 'agentRungs', 0)['monthlyUsd'] = '21')],
    ['an add-on', 'addOns.outpost.monthlyUsd', (at: Fields) => (child(at, 'addOns', 'outpost')['monthlyUsd'] = '98')],
    [
      'the included hours',
      'includedPerMonth',
      (at: Fields) => (child(at, 'addOns', 'meetingHours')['includedPerMonth'] = 9),
    ],
    ['the end of a rule', 'grandfatherRule.until', (at: Fields) => (child(at, 'grandfatherRule')['until'] = NEXT)],
    [
      'the end of sale of a rung',
      'agentRungs.small.newSignupsUntil',
      (at: Fields) => (child(at, 'agentRungs', 0)['newSignupsUntil'] = '2026-09-01T00:00:00Z'),
    ],
  ])('rejects a change of %s of legacy customers', (_what, place, change) => {
    const catalog = shippedCatalog();
    change(catalog.legacy as Fields);
    const [problem, ...more] = problemsOf(catalog);
    expect(problem).toContain(`legacy.json: `);
    expect(problem).toContain(place);
    expect(more).toEqual([]);
  });

  it('rejects a changed rule, and allows a changed text', () => {
    const catalog = shippedCatalog();
    child(catalog.billingRules as Fields, 'cancellation')['refunds'] = 'prorated';
    expect(problemsOf(catalog)).toEqual([
      'billing-rules.json: cancellation.refunds was published as "none" and must not change',
    ]);
    const rewordedRule = shippedCatalog();
    child(rewordedRule.billingRules as Fields, 'cancellation')['statement'] = 'Cancel whenever you like.';
    expect(plan(rewordedRule)).toHaveLength(1);
  });

  it.each([
    ['storage at ten times the price', { unitUsd: '0.5' }, 0],
    ['storage at more than ten times the price', { unitUsd: '0.51' }, 1],
    ['storage at less than a tenth', { unitUsd: '0.0049' }, 1],
  ])('requires permission to publish %s', (_what, change, count) => {
    const { meters } = shippedCard();
    const catalog = withCard(NEXT, {
      meters: meters.map((meter) => (meter['id'] === 'storage' ? { ...meter, ...change } : meter)),
    });
    expect(problemsOf(catalog)).toHaveLength(count);
    expect(problemsOf(catalog, { areLargeChangesAllowed: true })).toEqual([]);
  });

  it('requires permission to publish a box at less than a tenth of the price', () => {
    const [small, ...larger] = shippedCard().boxes;
    expect(problemsOf(withCard(NEXT, { boxes: [{ ...small, monthlyUsd: '2' }, ...larger] }))).toEqual([
      'usage/2027-01-01.json: box small changes more than 10-fold, from 25 to 2 USD',
    ]);
  });

  it('rejects statements that break readers of an earlier statement', () => {
    const statement = JSON.parse(first.body.toString()) as Fields;
    const more = Buffer.from(JSON.stringify({ ...statement, formerly: 'here' }));
    const [older] = [{ ...first, body: more, sha256: sha256Of(more) }];
    expect(problemsOf(withCard(NEXT), { published: [older as Revision] })).toEqual([
      '2026-11-21 breaks readers of 2026-10-01: $.formerly: was removed',
      '2027-01-01 breaks readers of 2026-10-01: $.formerly: was removed',
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
