import { describe, expect, it } from '@jest/globals';
import { parseCatalog, type RawCatalog } from './parse-catalog';
import { shippedCard, shippedCatalog } from '../testing/shipped-catalog';
import { CatalogUnavailable } from './pricing.errors';

type Place = readonly (string | number)[];
type Node = Record<string | number, unknown>;

const card = shippedCard();
const { legacy, signup, billingRules } = shippedCatalog();
const CARD = ['usage', '2026-10-01.json'] as const;

function realCatalog(): RawCatalog & Node {
  return { ...shippedCatalog() };
}

function nodeAt(root: Node, place: Place): Node {
  return place.reduce<Node>((node, key) => node[key] as Node, root);
}

/** The shipped catalog with one value replaced; `undefined` removes the field. */
function withChange(place: Place, value?: unknown): RawCatalog {
  const catalog = realCatalog();
  const parent = nodeAt(catalog, place.slice(0, -1));
  const key = place.at(-1) as string;
  if (value === undefined) Reflect.deleteProperty(parent, key);
  else parent[key] = value;
  return catalog;
}

function problemsOf(catalog: RawCatalog): string[] {
  try {
    parseCatalog(catalog);
  } catch (error) {
    expect(error).toBeInstanceOf(CatalogUnavailable);
    return ((error as CatalogUnavailable).cause as Error).message.split('\n');
  }
  return [];
}

/** The paths of all object fields in a file, including objects in lists. */
function fieldsIn(node: unknown, place: Place): Place[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const step = Array.isArray(node) ? Number(key) : key;
    const deeper = fieldsIn(value, [...place, step]);
    return Array.isArray(node) ? deeper : [[...place, step], ...deeper];
  });
}

const FILES = [
  { file: 'usage/2026-10-01.json', place: CARD, content: card },
  { file: 'legacy.json', place: ['legacy'], content: legacy },
  { file: 'signup.json', place: ['signup'], content: signup },
  { file: 'billing-rules.json', place: ['billingRules'], content: billingRules },
] as const;
const FIELDS = FILES.flatMap(({ file, place, content }) =>
  fieldsIn(content, []).map((field) => ({ file, field: field.join('.'), place: [...place, ...field] as Place })),
);

describe('parseCatalog', () => {
  it('accepts the shipped catalog', () => {
    const catalog = parseCatalog(realCatalog());
    expect(catalog.cards).toEqual([card]);
    expect(catalog.legacy).toEqual(legacy);
    expect(catalog.signup).toEqual(signup);
    expect(catalog.billingRules).toEqual(billingRules);
  });

  it('has fields to remove', () => {
    expect(FIELDS.length).toBeGreaterThan(100);
  });

  it.each(FIELDS)('rejects $file without $field', ({ file, place, field }) => {
    const problems = problemsOf(withChange(place));
    const list = field.replace(/\.\d+\.waivedInTrial$/, '');
    expect(problems.some((each) => each.startsWith(`${file}: ${list} `))).toBe(true);
  });

  it.each(FIELDS)('rejects $file with null in $field', ({ file, place, field }) => {
    if (field === 'grandfatherRule.until') return;
    expect(problemsOf(withChange(place, null)).some((each) => each.startsWith(`${file}: ${field} `))).toBe(true);
  });

  it.each(FILES)('rejects $file with an unknown field', ({ file, place }) => {
    expect(problemsOf(withChange([...place, 'surprise'], 1))).toEqual([expect.stringMatching(`^${file}: .*surprise`)]);
  });

  it.each(['usage/2026-10-01.json', 'legacy.json', 'signup.json', 'billing-rules.json'])(
    'rejects %s when it is not an object',
    (file) => {
      const { place } = FILES.find((each) => each.file === file)!;
      for (const value of [null, [], 'text', 7]) {
        expect(problemsOf(withChange(place, value)).some((each) => each.startsWith(`${file}: it `))).toBe(true);
      }
    },
  );

  it('rejects a catalog without a card', () => {
    expect(problemsOf({ ...realCatalog(), usage: {} })).toContain('usage: there is no card');
  });
});

const [sync] = card.meters;
const [small, medium, large, xlarge] = card.boxes;
const reversed = <T>(list: readonly T[]) => list.toReversed();

const BROKEN: readonly (readonly [what: string, place: Place, value: unknown, problem: string])[] = [
  ['a version that is not a date', [...CARD, 'version'], 'autumn', 'version is not a date-like version'],
  ['a version of another file', [...CARD, 'version'], '2026-10-02', "version is not the file's name"],
  ['a start without a zone', [...CARD, 'newSignupsFrom'], '2026-10-01T00:00:00', 'newSignupsFrom is not an instant'],
  ['a start with an offset', [...CARD, 'newSignupsFrom'], '2026-10-01T00:00:00+02:00', 'newSignupsFrom is not an'],
  ['a start without a time', [...CARD, 'newSignupsFrom'], '2026-10-01', 'newSignupsFrom is not an instant'],
  ['a start on an invalid date', [...CARD, 'newSignupsFrom'], '2026-02-30T00:00:00Z', 'newSignupsFrom is not an'],
  ['an amount that is a number', [...CARD, 'includedUsd'], 10, 'includedUsd'],
  ['a negative amount', [...CARD, 'includedUsd'], '-10', 'includedUsd is not a decimal amount'],
  ['an amount with an exponent', [...CARD, 'trial', 'capUsd'], '5e2', 'trial.capUsd is not a decimal amount'],
  ['an amount with a leading zero', [...CARD, 'domains', 'premiumUsd'], '050', 'domains.premiumUsd is not a decimal'],
  ['an amount with a currency sign', [...CARD, 'domains', 'standardUsd'], '$10', 'domains.standardUsd is not a'],
  ['an amount with a comma', [...CARD, 'boxes', 0, 'monthlyUsd'], '25,5', 'boxes.0.monthlyUsd is not a decimal'],
  ['an amount with ten decimals', [...CARD, 'meters', 0, 'unitUsd'], '0.0000000001', 'meters.0.unitUsd is not a'],
  ['16 significant digits', [...CARD, 'meters', 0, 'unitUsd'], '1234567.123456789', 'unitUsd has more than 15'],
  ['a trial of no days', [...CARD, 'trial', 'days'], 0, 'trial.days'],
  ['a trial of half a day', [...CARD, 'trial', 'days'], 0.5, 'trial.days'],
  ['an unknown meter', [...CARD, 'meters', 2, 'id'], 'coffee', 'meters.2.id'],
  ['meters in another order', [...CARD, 'meters'], reversed(card.meters), 'meters does not hold the seven meters'],
  ['a missing meter', [...CARD, 'meters'], card.meters.slice(1), 'meters does not hold the seven meters'],
  ['a duplicate meter', [...CARD, 'meters'], [...card.meters, sync], 'meters does not hold the seven meters'],
  [
    'a second waived meter',
    [...CARD, 'meters', 0, 'waivedInTrial'],
    true,
    'meters waives something other than the vault',
  ],
  ['a vault that is not waived', [...CARD, 'meters', 6, 'waivedInTrial'], false, 'meters.6.waivedInTrial'],
  ['an empty label', [...CARD, 'meters', 0, 'label'], '  ', 'meters.0.label'],
  ['boxes in another order', [...CARD, 'boxes'], [medium, small, large, xlarge], 'boxes does not hold small, medium'],
  ['a missing box', [...CARD, 'boxes'], [small, medium, large], 'boxes does not hold small, medium'],
  ['a box of another type', [...CARD, 'boxes', 1, 'instanceType'], 't3.small', 'boxes.1 has an instance type of'],
  ['an unknown box size', [...CARD, 'boxes', 1, 'size'], 'huge', 'boxes.1.size'],
  ['a missing free item', [...CARD, 'free'], ['deploys', 'dms'], 'free is not deploys, dms, background-ai'],
  ['no legacy plan', ['legacy', 'plans'], [], 'plans'],
  ['a duplicate legacy plan', ['legacy', 'plans', 0, 'id'], 'workforce', 'two plans have the same id'],
  ['rungs in another order', ['legacy', 'agentRungs'], reversed(legacy.agentRungs), 'agentRungs does not hold small'],
  ['a rung of another type', ['legacy', 'agentRungs', 3, 'instanceType'], 't3.large', 'agentRungs.3 has an instance'],
  ['negative hours', ['legacy', 'addOns', 'meetingHours', 'includedPerMonth'], -1, 'includedPerMonth'],
  [
    'a rule for an unknown plan',
    ['legacy', 'grandfatherRule', 'appliesTo', 'plan'],
    'gold',
    'grandfatherRule names no plan: gold',
  ],
  ['a rule that keeps no price', ['legacy', 'grandfatherRule', 'keepsPrice'], false, 'grandfatherRule.keepsPrice'],
  ['parts of a cent in the included amount', [...CARD, 'includedUsd'], '10.005', 'includedUsd has parts of a cent'],
  ['parts of a cent in a cap', [...CARD, 'trial', 'capUsd'], '499.999', 'trial.capUsd has parts of a cent'],
  ['parts of a cent a month', [...CARD, 'boxes', 3, 'monthlyUsd'], '200.001', 'boxes.3.monthlyUsd has parts of a cent'],
  ['parts of a cent for a domain', [...CARD, 'domains', 'premiumUsd'], '50.0001', 'premiumUsd has parts of a cent'],
  ['a larger box that costs less', [...CARD, 'boxes', 1, 'monthlyUsd'], '24', 'box medium costs less than the size'],
  ['two meters with the same label', [...CARD, 'meters', 1, 'label'], 'Member sync', 'two meters have the same label'],
  ['a larger rung that costs less', ['legacy', 'agentRungs', 2, 'monthlyUsd'], '39', 'large costs less than the size'],
  ['a rung with parts of a cent', ['legacy', 'agentRungs', 0, 'monthlyUsd'], '19.999', 'has parts of a cent'],
  ['equal labels of add-ons', ['legacy', 'addOns', 'outpost', 'label'], 'Meeting hours', 'both have the same'],
  [
    'a rule with another date than its plan',
    ['legacy', 'grandfatherRule', 'appliesTo', 'createdBefore'],
    '2026-04-02T00:00:00Z',
    'createdBefore is not when workforce closed',
  ],
  [
    'a rule that ends before it starts',
    ['legacy', 'grandfatherRule', 'until'],
    '2026-04-01T00:00:00Z',
    'until is not after',
  ],
  [
    'an add-on that is sold after the first card starts',
    ['legacy', 'addOns', 'outpost', 'newSignupsUntil'],
    '2026-10-01T00:00:01Z',
    'something closes after the first card begins',
  ],
  [
    'a period without any offer',
    ['legacy', 'plans', 0, 'newSignupsUntil'],
    '2026-09-30T23:59:59Z',
    'the last plan closes before the first card begins',
  ],
  ['included usage for boxes', ['billingRules', 'includedUsage', 'appliesTo'], ['boxes'], 'includedUsage.appliesTo'],
  ['included usage that rolls over', ['billingRules', 'includedUsage', 'rollsOver'], true, 'includedUsage.rollsOver'],
  ['a trial without a cap', ['billingRules', 'trial', 'endsOn'], ['days'], 'trial.endsOn'],
  ['another unit of rounding', ['billingRules', 'rounding', 'unit'], 'dollar', 'rounding.unit'],
  ['rounding per invoice', ['billingRules', 'rounding', 'per'], 'invoice', 'rounding.per'],
  ['boxes billed by the hour', ['billingRules', 'hostedAgents', 'billedPer'], 'hour', 'hostedAgents.billedPer'],
  ['an empty rule statement', ['billingRules', 'cancellation', 'statement'], '', 'cancellation.statement'],
  ['a relative link', ['signup', 'selfHosted', 'url'], '/self-hosted', 'selfHosted.url'],
  ['a plain http link', ['signup', 'free', 'url'], 'http://example.com/', 'free.url'],
  ['a script for a link', ['signup', 'free', 'url'], 'javascript:alert(1)', 'free.url'],
  ['free boxes', ['billingRules', 'hostedAgents', 'freeBoxes'], 1, 'hostedAgents.freeBoxes'],
  ['another rounding', ['billingRules', 'rounding', 'mode'], 'half-up', 'rounding.mode'],
  [
    'another waived meter',
    ['billingRules', 'trial', 'waivedMeters'],
    ['secret'],
    'trial.waivedMeters is not what card',
  ],
];

describe('parseCatalog with a violated rule', () => {
  it('has at least 50 cases', () => expect(BROKEN.length).toBeGreaterThanOrEqual(50));

  it.each(BROKEN)('rejects %s and reports the path', (_what, place, value, problem) => {
    const file = { usage: 'usage/2026-10-01.json', billingRules: 'billing-rules.json' }[String(place[0])];
    const [only, ...more] = problemsOf(withChange(place, value));
    expect(only).toContain(`${file ?? `${place[0]}.json`}: `);
    expect(only).toContain(problem);
    expect(more).toEqual([]);
  });

  it('rejects two cards with the same start or the same version', () => {
    const later = { ...card, version: '2027-01-01' };
    const usage = {
      '2026-10-01.json': card,
      '2027-01-01.json': { ...later, newSignupsFrom: '2026-10-01T00:00:00.000Z' },
    };
    expect(problemsOf({ ...realCatalog(), usage })).toEqual(['usage: two cards begin at the same instant']);
    const twice = { '2026-10-01.json': card, 'b.json': { ...card, newSignupsFrom: '2027-01-01T00:00:00Z' } };
    expect(problemsOf({ ...realCatalog(), usage: twice })).toContain('usage: two cards have the same version');
  });

  it('accepts amounts of 0 and of up to 15 significant digits', () => {
    for (const amount of ['0', '0.000000001', '123456789.123456', '100000000', '10.50']) {
      expect(problemsOf(withChange([...CARD, 'meters', 0, 'unitUsd'], amount))).toEqual([]);
    }
  });

  it('reports all problems of all files at once', () => {
    const catalog = realCatalog();
    Object.assign(nodeAt(catalog, CARD), { version: 7, includedUsd: 'x' });
    Object.assign(nodeAt(catalog, ['legacy', 'grandfatherRule', 'appliesTo']), { plan: 'gold' });
    Reflect.deleteProperty(nodeAt(catalog, ['signup']), 'free');
    const problems = problemsOf(catalog);
    for (const place of ['usage/2026-10-01.json: version', 'usage/2026-10-01.json: includedUsd', 'signup.json: free']) {
      expect(problems.some((each) => each.startsWith(place))).toBe(true);
    }
    expect(problems).toContain('legacy.json: grandfatherRule names no plan: gold');
    expect(problems).toHaveLength(4);
  });

  it('does not expose problems in the error message', () => {
    const error = new CatalogUnavailable(['usage/secret.json: version']);
    expect(error.message).not.toContain('secret');
    expect(error.headers).toEqual({ 'retry-after': '5' });
  });
});

describe('parseCatalog with several cards', () => {
  it('sorts them by start date, not by file name', () => {
    const usage = {
      '2027-01-01.json': { ...card, version: '2027-01-01', newSignupsFrom: '2028-01-01T00:00:00Z' },
      '2027-02-01.json': { ...card, version: '2027-02-01', newSignupsFrom: '2027-06-01T00:00:00Z' },
      '2026-10-01.json': card,
    };
    const { cards } = parseCatalog({ ...realCatalog(), usage });
    expect(cards.map(({ version }) => version)).toEqual(['2026-10-01', '2027-02-01', '2027-01-01']);
  });
});
