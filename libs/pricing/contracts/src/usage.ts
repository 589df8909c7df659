import { type CardItem, itemsOf, USAGE_GROUPS, type UsageGroup } from './card-items';
import { MAX_QUANTITY, QUANTITY_PLACES, parseDecimal } from './decimals';
import type { UsageCard } from './pricing-statement';

/** A quantity: 0 or more, at most 10¹², with at most 6 decimals; a string keeps digits that a number cannot. */
export type Quantity = number | string;

/** What was used in a month, by the ids of a card. What is not named was not used. */
export type Usage = Readonly<Partial<Record<UsageGroup, Readonly<Record<string, Quantity>>>>>;

export interface UsageFault {
  /** Where, from the usage on: `meters.storage`. Empty: all of it. */
  readonly field: string;
  readonly reason: string;
}

const LIMIT = MAX_QUANTITY * 10n ** BigInt(QUANTITY_PLACES);

/** A quantity as a whole number of 10⁻⁶. @throws {RangeError} which says what a quantity must be. */
export function quantityOf(value: unknown): bigint {
  if (typeof value !== 'number' && typeof value !== 'string') throw new RangeError('must be a number or a decimal');
  if (typeof value === 'string' && value.length > 40) throw new RangeError('must be at most 1000000000000');
  const quantity = parseDecimal(value, QUANTITY_PLACES);
  if (quantity > LIMIT) throw new RangeError(`must be at most ${MAX_QUANTITY}`);
  return quantity;
}

/** Everything for which a value is no usage of a card. None: it is a `Usage`. */
export function usageFaults(value: unknown, card: UsageCard): UsageFault[] {
  if (!isFields(value)) return [{ field: '', reason: 'must be an object' }];
  const items = itemsOf(card);
  return Object.entries(value).flatMap(([group, quantities]) => {
    if (!isGroup(group)) return [{ field: group, reason: `is none of ${USAGE_GROUPS.join(', ')}` }];
    if (!isFields(quantities)) return [{ field: group, reason: 'must be an object' }];
    return groupFaults(group, quantities, items);
  });
}

function groupFaults(
  group: UsageGroup,
  quantities: Readonly<Record<string, unknown>>,
  items: readonly CardItem[],
): UsageFault[] {
  const known = items.filter((item) => item.group === group).map(({ id }) => id);
  return Object.entries(quantities).flatMap(([id, value]) => {
    const field = `${group}.${id}`;
    if (!known.includes(id)) return [{ field, reason: `is none of ${known.join(', ')}` }];
    try {
      quantityOf(value);
      return [];
    } catch (error) {
      return [{ field, reason: (error as RangeError).message }];
    }
  });
}

function isGroup(key: string): key is UsageGroup {
  return (USAGE_GROUPS as readonly string[]).includes(key);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
