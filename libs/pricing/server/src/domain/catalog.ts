import { z } from 'zod';

/** An amount of USD in the catalog: a decimal string that a JSON number represents exactly. */
const Usd = z
  .string()
  .regex(/^(0|[1-9]\d{0,8})(\.\d{1,9})?$/, 'is not a decimal amount')
  .refine((text) => text.replace(/\D/g, '').replace(/^0+/, '').length <= 15, 'has more than 15 significant digits');
/** A monthly amount. Invoice lines are rounded to the cent, so fractions of a cent could not be charged. */
const WholeCents = Usd.refine((text) => !/\.\d{2}\d*[1-9]/.test(text), 'has parts of a cent');
const Instant = z.iso.datetime({ error: 'is not an instant in UTC, such as 2026-10-01T00:00:00Z' });
/** A date, with a number when there are several versions of that date. */
export const VERSION = /^\d{4}-\d{2}-\d{2}(\.\d{1,6})?$/;
const Version = z.string().regex(VERSION, 'is not a date-like version');
const Text = z.string().trim().min(1);

export const METER_IDS = [
  'member-sync',
  'gateway-call',
  'tool-call',
  'agent-run',
  'storage',
  'secret',
  'vault',
] as const;
const BOXES = { small: 't3.small', medium: 't3.medium', large: 't3.large', xlarge: 't3.xlarge' } as const;
export const SIZES = Object.keys(BOXES) as (keyof typeof BOXES)[];

const Meter = z.strictObject({
  id: z.enum(METER_IDS),
  label: Text,
  unit: Text,
  unitUsd: Usd,
  waivedInTrial: z.literal(true).optional(),
});
const Box = z
  .strictObject({ size: z.enum(SIZES), instanceType: Text, monthlyUsd: WholeCents })
  .refine(({ size, instanceType }) => BOXES[size] === instanceType, 'has an instance type of another size');
const EveryBox = { error: 'does not hold small, medium, large and xlarge, in this order' };

/** The file of one usage card. */
export const UsageCardFile = z.strictObject({
  version: Version,
  newSignupsFrom: Instant,
  includedUsd: WholeCents,
  trial: z.strictObject({ days: z.int().positive(), capUsd: WholeCents }),
  meters: z
    .array(Meter)
    .refine((meters) => String(meters.map(({ id }) => id)) === String(METER_IDS), {
      error: `does not hold the seven meters ${METER_IDS.join(', ')}, in this order`,
    })
    .refine((meters) => meters.every(({ id, waivedInTrial }) => (id === 'vault') === (waivedInTrial === true)), {
      error: 'waives something other than the vault in the trial',
    }),
  boxes: z.array(Box).refine((boxes) => String(boxes.map(({ size }) => size)) === String(SIZES), EveryBox),
  free: z.array(Text).refine((free) => String(free) === 'deploys,dms,background-ai', {
    error: 'is not deploys, dms, background-ai',
  }),
  domains: z.strictObject({ standardUsd: WholeCents, premiumUsd: WholeCents }),
});

/** The file of prices that existing customers keep. */
export const LegacyFile = z.strictObject({
  plans: z
    .array(
      z.strictObject({
        id: Text,
        label: Text,
        unit: Text,
        monthlyUsd: WholeCents,
        includes: z.array(Text),
        newSignupsUntil: Instant,
      }),
    )
    .min(1),
  agentRungs: z
    .array(
      z
        .strictObject({ size: z.enum(SIZES), instanceType: Text, monthlyUsd: WholeCents, newSignupsUntil: Instant })
        .refine(({ size, instanceType }) => BOXES[size] === instanceType, 'has an instance type of another size'),
    )
    .refine((rungs) => String(rungs.map(({ size }) => size)) === String(SIZES), EveryBox),
  addOns: z.strictObject({
    outpost: z.strictObject({ label: Text, unit: Text, monthlyUsd: WholeCents, newSignupsUntil: Instant }),
    meetingHours: z.strictObject({
      label: Text,
      unit: Text,
      unitUsd: Usd,
      includedPerMonth: z.number().nonnegative(),
      newSignupsUntil: Instant,
    }),
  }),
  grandfatherRule: z.strictObject({
    id: Text,
    appliesTo: z.strictObject({ plan: Text, createdBefore: Instant }),
    keepsPrice: z.literal(true),
    until: Instant.nullable(),
    statement: Text,
  }),
});

const SignupOption = z.strictObject({ label: Text, url: z.url({ protocol: /^https$/ }) });
/** The file of offers for new customers. */
export const SignupFile = z.strictObject({
  free: SignupOption,
  enterpriseDemo: SignupOption,
  selfHosted: SignupOption,
});

/** The file of billing rules. Each rule has machine-readable fields and one readable sentence. */
export const BillingRulesFile = z.strictObject({
  hostedAgents: z.strictObject({ billedPer: z.literal('box'), freeBoxes: z.literal(0), statement: Text }),
  includedUsage: z.strictObject({
    appliesTo: z.tuple([z.literal('meters')]),
    rollsOver: z.literal(false),
    statement: Text,
  }),
  trial: z.strictObject({
    endsOn: z.tuple([z.literal('days'), z.literal('cap')]),
    then: Text,
    waivedMeters: z.array(Text),
    statement: Text,
  }),
  cancellation: z.strictObject({ effective: Text, usageBilledUntil: Text, refunds: Text, statement: Text }),
  rounding: z.strictObject({
    unit: z.literal('cent'),
    mode: z.literal('half-even'),
    per: z.literal('invoice-line'),
  }),
});

/** All prices and billing terms. Only `parseCatalog` creates a catalog, so it is always valid. */
export interface Catalog {
  /** Sorted by `newSignupsFrom`; at least one. */
  readonly cards: readonly z.infer<typeof UsageCardFile>[];
  readonly legacy: z.infer<typeof LegacyFile>;
  readonly signup: z.infer<typeof SignupFile>;
  readonly billingRules: z.infer<typeof BillingRulesFile>;
}
