import { z } from 'zod';
import { SIZES } from './sizes.ts';

const hostname = z
  .string()
  .regex(/^(?=.{4,200}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'is not a hostname');
const identifier = z.string().regex(/^[a-z][a-z0-9-]{2,31}$/, 'is not 3 to 32 lowercase letters, digits and "-"');

/**
 * The organization of the people of a provider: one for all of them, or the value of a claim of the provider, which
 * gets the id of the provider as prefix. So no provider can name an organization of another one.
 */
const organization = z.union([
  z.strictObject({ id: identifier, name: z.string().min(1) }),
  z.strictObject({ claim: z.string().regex(/^[\w:./-]{1,64}$/, 'is not the name of a claim') }),
]);

const provider = z.strictObject({
  id: identifier,
  label: z.string().min(1),
  issuer: z.url({ protocol: /^https$/, error: 'is not an https address' }),
  clientId: z.string().min(1),
  organization,
});

const Settings = z
  .strictObject({
    account: z.string().regex(/^\d{12}$/, 'is not an account id of 12 digits'),
    region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'is not a region'),
    platformDomain: hostname,
    productHost: hostname,
    version: z.string().regex(/^[\w][\w.-]{0,127}$/, 'is not the tag of an image'),
    size: z.enum(SIZES),
    runtime: z.enum(['lambda', 'off']),
    tenancy: z.enum(['trusted', 'hostile']),
    signIn: z.strictObject({
      domainPrefix: identifier,
      providers: z.array(provider).length(2, 'does not have exactly two providers'),
    }),
    database: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('rds') }),
      z.strictObject({ kind: z.literal('given'), urlSecret: z.string().min(1) }),
    ]),
    databaseCaFile: z.string().min(1),
    cloudFrontPrefixList: z.string().regex(/^pl-[0-9a-f]{8,17}$/, 'is not the id of a prefix list'),
    alertEmail: z.email(),
    monthlyBudgetUsd: z.number().int().positive(),
  })
  .refine(({ platformDomain: apps, productHost: product }) => !`.${product}`.endsWith(`.${apps}`), {
    path: ['productHost'],
    error: 'is inside platformDomain: untrusted apps must not share a domain with the product',
  })
  .refine(({ signIn: { providers } }) => new Set(providers.map(({ id }) => id)).size === providers.length, {
    path: ['signIn', 'providers'],
    error: 'have the same id',
  });

export type Settings = Readonly<z.infer<typeof Settings>>;
export type IdentityProvider = Settings['signIn']['providers'][number];

/** Parses the settings of an installation. @throws {Error} that lists all invalid settings. */
export function parseSettings(text: string): Settings {
  const { success, data, error } = Settings.safeParse(JSON.parse(text));
  if (success) return data;
  const issues = error.issues.map(({ path, message }) => `  - ${path.join('.')} ${message}`);
  throw new Error(`The settings are invalid:\n${issues.join('\n')}`);
}

/** Names of the secrets that an operator creates before the first deployment (docs/deploy-aws.md). */
export const SECRET_NAMES = {
  sessionKeys: 'homeport/session-keys',
  secretsKeys: 'homeport/secrets-keys',
  provider: (id: string) => `homeport/provider-${id}`,
} as const;
