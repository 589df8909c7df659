import { describe, expect, it } from '@jest/globals';
import { parseCatalog } from './parse-catalog';
import { type CardFields, shippedCard, shippedCatalog } from '../testing/shipped-catalog';
import { CatalogUnavailable } from './pricing.errors';
import { statementOf } from './statement';

const card = shippedCard();
const { legacy, signup, billingRules } = shippedCatalog();
const BEGIN = Date.parse('2026-10-01T00:00:00Z');
const NEXT = Date.parse('2027-01-01T00:00:00Z');
const nextCard = { ...card, version: '2027-01-01', newSignupsFrom: '2027-01-01T00:00:00Z', includedUsd: '20' };
const lastCard = { ...card, version: '2027-06-01', newSignupsFrom: '2027-06-01T00:00:00.001Z' };

function statementAt(instant: number, ...cards: readonly CardFields[]) {
  const usage = Object.fromEntries((cards.length > 0 ? cards : [card]).map((each) => [`${each.version}.json`, each]));
  const edition = { version: '2026-11-21.2', effectiveAt: new Date(instant) };
  return statementOf(parseCatalog({ usage, legacy, signup, billingRules }), edition);
}

/** Replaces every leaf of a value by its type. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}

describe('statementOf', () => {
  const statement = statementAt(BEGIN);

  it('has the published usage prices', () => {
    expect(statement.usage).toStrictEqual({
      version: '2026-10-01',
      newSignupsFrom: '2026-10-01T00:00:00Z',
      includedUsd: 10,
      trial: { days: 30, capUsd: 500 },
      meters: [
        { id: 'member-sync', label: 'Member sync', unit: 'sync', unitUsd: 0.002 },
        { id: 'gateway-call', label: 'Gateway call', unit: 'call', unitUsd: 0.0004 },
        { id: 'tool-call', label: 'Tool-protocol call', unit: 'call', unitUsd: 0.001 },
        { id: 'agent-run', label: 'Agent run', unit: 'run', unitUsd: 0.02 },
        { id: 'storage', label: 'Storage', unit: 'gb-month', unitUsd: 0.05 },
        { id: 'secret', label: 'Secret', unit: 'secret-month', unitUsd: 0.05 },
        { id: 'vault', label: 'Vault', unit: 'vault-month', unitUsd: 5, waivedInTrial: true },
      ],
      boxes: [
        { size: 'small', instanceType: 't3.small', monthlyUsd: 25 },
        { size: 'medium', instanceType: 't3.medium', monthlyUsd: 50 },
        { size: 'large', instanceType: 't3.large', monthlyUsd: 100 },
        { size: 'xlarge', instanceType: 't3.xlarge', monthlyUsd: 200 },
      ],
      free: ['deploys', 'dms', 'background-ai'],
      domains: { standardUsd: 10, premiumUsd: 50 },
    });
  });

  it('has version, time, currency and links', () => {
    expect(statement).toMatchObject({
      version: '2026-11-21.2',
      generatedAt: '2026-10-01T00:00:00Z',
      currency: 'USD',
      upcoming: [],
      links: {
        self: '/v1/pricing',
        schema: '/v1/pricing/schema',
        versions: '/v1/pricing/versions',
        estimate: '/v1/pricing/estimate',
      },
    });
  });

  it('has the published shape in all other parts', () => {
    const plan = {
      id: 'string',
      label: 'string',
      unit: 'string',
      monthlyUsd: 'number',
      newSignupsUntil: 'string',
    };
    const rung = { size: 'string', instanceType: 'string', monthlyUsd: 'number', newSignupsUntil: 'string' };
    const option = { label: 'string', url: 'string' };
    const { signup: options, plans, agentRungs, addOns, grandfatherRule, billingRules: rules } = statement;
    expect(shapeOf(options)).toEqual({ free: option, enterpriseDemo: option, selfHosted: option });
    expect(shapeOf(plans)).toEqual([
      { ...plan, includes: ['string', 'string'] },
      { ...plan, includes: ['string'] },
    ]);
    expect(shapeOf(agentRungs)).toEqual([rung, rung, rung, rung]);
    expect(shapeOf(addOns)).toEqual({
      outpost: { label: 'string', unit: 'string', monthlyUsd: 'number', newSignupsUntil: 'string' },
      meetingHours: {
        label: 'string',
        unit: 'string',
        unitUsd: 'number',
        includedPerMonth: 'number',
        newSignupsUntil: 'string',
      },
    });
    expect(shapeOf(grandfatherRule)).toEqual({
      id: 'string',
      appliesTo: { plan: 'string', createdBefore: 'string' },
      keepsPrice: 'boolean',
      until: 'null',
      statement: 'string',
    });
    expect(Object.keys(rules)).toEqual(['hostedAgents', 'includedUsage', 'trial', 'cancellation', 'rounding']);
  });

  it('has the legacy plans, the grandfather rule and the billing rules of the catalog', () => {
    expect(statement.plans.map(({ id }) => id)).toEqual(['starter', 'workforce']);
    expect(statement.agentRungs.map(({ size }) => size)).toEqual(['small', 'medium', 'large', 'xlarge']);
    expect(statement.grandfatherRule).toMatchObject({ keepsPrice: true, until: null });
    expect(statement.grandfatherRule.appliesTo.plan).toBe('workforce');
    expect(statement.billingRules).toStrictEqual(billingRules);
    expect(statement.billingRules.hostedAgents).toMatchObject({ billedPer: 'box', freeBoxes: 0 });
    expect(statement.billingRules.rounding).toEqual({ unit: 'cent', mode: 'half-even', per: 'invoice-line' });
    expect(statement.signup).toStrictEqual(signup);
  });

  it('writes every amount as an exact JSON number', () => {
    expect(statement.plans.map(({ monthlyUsd }) => monthlyUsd)).toEqual([49, 15]);
    expect(statement.agentRungs.map(({ monthlyUsd }) => monthlyUsd)).toEqual([20, 40, 80, 160]);
    expect(statement.addOns.outpost.monthlyUsd).toBe(99);
    expect(statement.addOns.meetingHours.unitUsd).toBe(0.5);
    const meters = card.meters.map((meter, n) => (n === 0 ? { ...meter, unitUsd: '123456789.123456' } : meter));
    expect(JSON.stringify(statementAt(BEGIN, { ...card, meters }))).toContain('"unitUsd":123456789.123456}');
    expect(JSON.stringify(statement)).not.toMatch(/"\w+Usd":"/);
  });
});

describe('statementOf over time', () => {
  it('switches cards at the exact millisecond', () => {
    expect(statementAt(NEXT - 1, card, nextCard).usage.version).toBe('2026-10-01');
    expect(statementAt(NEXT, card, nextCard)).toMatchObject({
      generatedAt: '2027-01-01T00:00:00Z',
      usage: { version: '2027-01-01', includedUsd: 20 },
    });
  });

  it('announces upcoming cards by start date, without started ones', () => {
    const versionsAt = (instant: number) =>
      statementAt(instant, lastCard, nextCard, card).upcoming.map(({ version }) => version);
    expect(versionsAt(BEGIN)).toEqual(['2027-01-01', '2027-06-01']);
    expect(versionsAt(NEXT - 1)).toEqual(['2027-01-01', '2027-06-01']);
    expect(versionsAt(NEXT)).toEqual(['2027-06-01']);
    expect(versionsAt(Date.parse('2027-06-01T00:00:00Z'))).toEqual(['2027-06-01']);
    expect(versionsAt(Date.parse('2027-06-01T00:00:00.001Z'))).toEqual([]);
  });

  it('announces a card with all of its fields', () => {
    const [announced] = statementAt(BEGIN, card, nextCard).upcoming;
    expect(announced).toStrictEqual(statementAt(NEXT, card, nextCard).usage);
  });

  it('fails before the first card starts', () => {
    expect(() => statementAt(BEGIN - 1)).toThrow(CatalogUnavailable);
  });
});
