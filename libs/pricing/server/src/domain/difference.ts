import type { PricingStatement, UsageCard } from '@homeport/pricing/contracts';
import { leavesOf } from './leaves';

/** Fields that differ in every statement, even with the same prices. */
const STATEMENT_METADATA_KEYS: ReadonlySet<string> = new Set(['version', 'generatedAt']);
/** Fields that differ in every card. */
const CARD_METADATA_KEYS: ReadonlySet<string> = new Set(['version', 'newSignupsFrom']);

/**
 * Returns the differences between two statements as readable lines. An announced card is compared with the card that
 * precedes it.
 */
export function differenceOf(before: PricingStatement, after: PricingStatement): string[] {
  const { upcoming: announced, ...old } = before;
  const { upcoming, ...now } = after;
  const known = new Set([...announced, before.usage].map(({ version }) => version));
  return [
    ...changedLeaves(old, now, STATEMENT_METADATA_KEYS),
    ...upcoming.flatMap((card, n) =>
      known.has(card.version) ? [] : announcement(upcoming[n - 1] ?? after.usage, card),
    ),
  ];
}

function announcement(before: UsageCard, card: UsageCard): string[] {
  const changes = changedLeaves(before, card, CARD_METADATA_KEYS);
  return [`+ usage card ${card.version} is announced, for accounts from ${card.newSignupsFrom} on`].concat(
    changes.map((line) => `  ${line}`),
  );
}

function changedLeaves(before: object, after: object, skipped: ReadonlySet<string>): string[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((place) => !skipped.has(place) && old.get(place) !== now.get(place))
    .map((place) => {
      const [was, is] = [old.get(place), now.get(place)];
      if (was === undefined) return `+ ${place}: ${is}`;
      return is === undefined ? `- ${place}: ${was}` : `~ ${place}: ${was} → ${is}`;
    });
}
