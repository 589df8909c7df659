import { itemsOf, type Usage, type UsageCard, USAGE_GROUPS, type UsageFault } from '@homeport/pricing/contracts';
import { language } from '@homeport/platform/web';
import { localizedDecimal } from '../page/price-messages';

/** The unparsed input of the estimator. */
export interface UsageForm {
  /** Input texts by usage field, such as `meters.storage`. */
  readonly quantities: Readonly<Record<string, string>>;
  readonly inTrial: boolean;
}

/** The required part of Angular's `ParamMap`. */
export interface Query {
  readonly keys: readonly string[];
  get(name: string): string | null;
}

export const EMPTY_FORM: UsageForm = { quantities: {}, inTrial: false };

const TRIAL = 'trial';
/** Numbers with grouped digits: 10,000.5 and 10 000.5, or 10.000,5 when the comma is the decimal separator. */
const GROUPED = {
  point: /^\d{1,3}(?:[,\s]\d{3})+(?:\.\d+)?$/,
  comma: /^(?:\d{1,3}(?:[.\s]\d{3})+|\d*)(?:,\d+)?$/,
} as const;

/** Parses the form from URL parameters, which have the field names of the API. */
export function formOf(query: Query): UsageForm {
  const fields = query.keys.filter((key) => USAGE_GROUPS.some((group) => key.startsWith(`${group}.`)));
  return {
    quantities: Object.fromEntries(fields.map((field) => [field, localizedQuantity(query.get(field) ?? '')])),
    inTrial: query.get(TRIAL) === 'true',
  };
}

/** The URL parameters of a form. */
export function paramsOf({ quantities, inTrial }: UsageForm): Readonly<Record<string, string>> {
  const filled = Object.entries(quantities)
    .map(([field, text]) => [field, normalizedQuantity(text)] as const)
    .filter(([, text]) => text !== '');
  return { ...Object.fromEntries(filled), ...(inTrial && { [TRIAL]: 'true' }) };
}

/** Converts the filled fields to a usage of a card; its quantities may still be invalid. */
export function usageOf({ quantities }: UsageForm, card: UsageCard): Usage {
  const items = itemsOf(card);
  const filled = USAGE_GROUPS.map((group) => {
    const ids = items.filter((item) => item.group === group).map(({ id }) => id);
    const entries = ids.map((id) => [id, normalizedQuantity(quantities[`${group}.${id}`] ?? '')] as const);
    return [group, Object.fromEntries(entries.filter(([, text]) => text !== ''))] as const;
  });
  return Object.fromEntries(filled);
}

/** The ids of form fields without a price in a card. */
export function unpricedFields({ quantities }: UsageForm, card: UsageCard): readonly string[] {
  const known = new Set(itemsOf(card).map(({ group, id }) => `${group}.${id}`));
  return Object.keys(quantities)
    .filter((field) => !known.has(field))
    .map((field) => field.slice(field.indexOf('.') + 1));
}

/** The error message of an invalid quantity. */
export function quantityErrorMessage({ reason }: UsageFault): string {
  const [, places] = /^must have at most (\d+) decimals$/.exec(reason) ?? [];
  if (places !== undefined) return $localize`Enter at most ${places}:count: decimals.`;
  const [, most] = /^must be at most (\d+)$/.exec(reason) ?? [];
  if (most !== undefined) return $localize`Enter at most ${localizedDecimal(most)}:most:.`;
  return $localize`Enter a number of 0 or more, in plain decimals, such as ${localizedQuantity('1250.5')}:example:.`;
}

/** Converts a typed quantity to a plain decimal, without digit groups. */
export function normalizedQuantity(text: string): string {
  const trimmed = text.trim();
  if (!hasCommas()) return GROUPED.point.test(trimmed) ? trimmed.replace(/[,\s]/g, '') : trimmed;
  return GROUPED.comma.test(trimmed) ? trimmed.replace(/[.\s]/g, '').replace(',', '.') : trimmed;
}

/** Converts a plain decimal to the page's language: "1.250" in a link is "1,250" in German. */
export function localizedQuantity(plain: string): string {
  return hasCommas() ? plain.replace(/^(\d+)\.(\d+)$/, '$1,$2') : plain;
}

function hasCommas(): boolean {
  return language() === 'de';
}
