import { type CardItem, itemsOf, USAGE_GROUPS, type UsageGroup } from './card-items';
import { MAX_QUANTITY, QUANTITY_PLACES, parseDecimal } from './decimals';
import type { UsageCard } from './pricing-statement';

/** A quantity from 0 to 10¹² with at most 6 decimals. A string keeps digits that a number would lose. */
export type Quantity = number | string;

/** The usage of a month by item ids of a card. Absent items were not used. */
export type Usage = Readonly<Partial<Record<UsageGroup, Readonly<Record<string, Quantity>>>>>;

export interface UsageFault {
  /** The path in the usage, such as `meters.storage`; empty for the whole usage. */
  readonly field: string;
  readonly reason: string;
}

const LIMIT = MAX_QUANTITY * 10n ** BigInt(QUANTITY_PLACES);

/** Parses a quantity to an integer number of 10⁻⁶. @throws {RangeError} whose message describes valid quantities. */
export function quantityOf(value: unknown): bigint {
  if (typeof value !== 'number' && typeof value !== 'string') throw new RangeError('must be a number or a decimal');
  if (typeof value === 'string' && value.length > 40) throw new RangeError('must be at most 1000000000000');
  const quantity = parseDecimal(value, QUANTITY_PLACES);
  if (quantity > LIMIT) throw new RangeError(`must be at most ${MAX_QUANTITY}`);
  return quantity;
}

/** Returns all reasons why a value is not a valid usage of a card; empty for a valid `Usage`. */
export function usageFaults(value: unknown, card: UsageCard): UsageFault[] {
  if (!isFields(value)) return [{ field: '', reason: 'must be an object' }];
  const items = itemsOf(card);
  return Object.entries(value).flatMap(([group, quantities]) => {
    if (!isGroup(group)) return [{ field: group, reason: `is not one of ${USAGE_GROUPS.join(', ')}` }];
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
    if (!known.includes(id)) return [{ field, reason: `is not one of ${known.join(', ')}` }];
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
