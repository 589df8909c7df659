import type { z } from 'zod';
import { BillingRulesFile, type Catalog, LegacyFile, SignupFile, UsageCardFile } from './catalog';
import { crossFileProblems } from './cross-file-problems';
import { CatalogUnavailable } from './pricing.errors';

/** The parsed, unchecked JSON files of a catalog. Keys of `usage` are file names. */
export interface RawCatalog {
  readonly usage: Readonly<Record<string, unknown>>;
  readonly legacy: unknown;
  readonly signup: unknown;
  readonly billingRules: unknown;
}

/**
 * Validates a catalog.
 * @throws {CatalogUnavailable} whose cause lists every problem with its file and path.
 */
export function parseCatalog(raw: RawCatalog): Catalog {
  const problems: string[] = [];
  const read = <T>(file: string, schema: z.ZodType<T>, value: unknown): T | undefined => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    problems.push(...result.error.issues.map(({ path, message }) => `${file}: ${path.join('.') || 'it'} ${message}`));
    return undefined;
  };
  const cards = Object.entries(raw.usage).map(([file, value]) => {
    const card = read(`usage/${file}`, UsageCardFile, value);
    if (card && file !== `${card.version}.json`) problems.push(`usage/${file}: version is not the file's name`);
    return card;
  });
  const legacy = read('legacy.json', LegacyFile, raw.legacy);
  const signup = read('signup.json', SignupFile, raw.signup);
  const billingRules = read('billing-rules.json', BillingRulesFile, raw.billingRules);
  if (cards.length === 0) problems.push('usage: there is no card');
  const validCards = cards.filter((card) => card !== undefined);
  if (legacy && billingRules) problems.push(...crossFileProblems({ cards: validCards, legacy, billingRules }));
  if (problems.length > 0 || !legacy || !signup || !billingRules) throw new CatalogUnavailable(problems);
  const inOrder = validCards.toSorted((a, b) => Date.parse(a.newSignupsFrom) - Date.parse(b.newSignupsFrom));
  return { cards: inOrder, legacy, signup, billingRules };
}
