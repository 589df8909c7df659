import type { PricingStatement } from '@homeport/pricing/contracts';
import { z } from 'zod';
import { METER_IDS, SIZES } from './catalog';

const Usd = z.number().nonnegative().meta({
  description: 'US dollars. At most 9 decimals and 15 significant digits: the JSON number is the exact decimal.',
});
const Instant = z.iso.datetime().meta({ description: 'An instant in UTC' });
const Text = z.string().min(1);
const Version = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(\.\d+)?$/)
  .meta({ description: 'A date, and a number where there are several of that date' });
const Size = z.enum(SIZES);

const Meter = z.object({
  id: z.enum(METER_IDS),
  label: Text,
  unit: Text,
  unitUsd: Usd,
  waivedInTrial: z.literal(true).optional(),
});

const UsageCard = z.object({
  version: Version,
  newSignupsFrom: Instant,
  includedUsd: Usd,
  trial: z.object({ days: z.int().positive(), capUsd: Usd }),
  meters: z.array(Meter).length(METER_IDS.length),
  boxes: z.array(z.object({ size: Size, instanceType: Text, monthlyUsd: Usd })).length(SIZES.length),
  free: z.array(Text),
  domains: z.object({ standardUsd: Usd, premiumUsd: Usd }),
});

const SignupOption = z.object({ label: Text, url: z.url() });

const LegacyPlan = z.object({
  id: Text,
  label: Text,
  unit: Text,
  monthlyUsd: Usd,
  includes: z.array(z.string()),
  newSignupsUntil: Instant,
});

const AddOns = z.object({
  outpost: z.object({ label: Text, unit: Text, monthlyUsd: Usd, newSignupsUntil: Instant }),
  meetingHours: z.object({
    label: Text,
    unit: Text,
    unitUsd: Usd,
    includedPerMonth: z.number().nonnegative(),
    newSignupsUntil: Instant,
  }),
});

const BillingRules = z.object({
  hostedAgents: z.object({ billedPer: z.literal('box'), freeBoxes: z.number().nonnegative(), statement: Text }),
  includedUsage: z.object({ appliesTo: z.array(Text), rollsOver: z.boolean(), statement: Text }),
  trial: z.object({ endsOn: z.array(Text), then: Text, waivedMeters: z.array(Text), statement: Text }),
  cancellation: z.object({ effective: Text, usageBilledUntil: Text, refunds: Text, statement: Text }),
  rounding: z.object({
    unit: z.literal('cent'),
    mode: z.literal('half-even'),
    per: z.literal('invoice-line'),
  }),
});

/** The contract with readers. Fields may be added, so readers must ignore unknown fields. */
export const Statement: z.ZodType<PricingStatement> = z
  .object({
    version: Version,
    generatedAt: Instant,
    currency: z.literal('USD'),
    usage: UsageCard,
    upcoming: z.array(UsageCard).meta({ description: 'Cards that were announced and have not begun, soonest first' }),
    signup: z.object({ free: SignupOption, enterpriseDemo: SignupOption, selfHosted: SignupOption }),
    plans: z.array(LegacyPlan),
    agentRungs: z.array(z.object({ size: Size, instanceType: Text, monthlyUsd: Usd, newSignupsUntil: Instant })),
    addOns: AddOns,
    grandfatherRule: z.object({
      id: Text,
      appliesTo: z.object({ plan: Text, createdBefore: Instant }),
      keepsPrice: z.literal(true),
      until: Instant.nullable(),
      statement: Text,
    }),
    billingRules: BillingRules,
    links: z.object({ self: Text, schema: Text, versions: Text, estimate: Text }),
  })
  .meta({ title: 'Pricing statement' });

/** The contract as JSON Schema 2020-12, which allows additional fields. */
export function statementSchema(): Readonly<Record<string, unknown>> {
  return { $id: '/v1/pricing/schema', ...z.toJSONSchema(Statement, { io: 'input', target: 'draft-2020-12' }) };
}
