import type { PricingStatement, UsageCard } from '@homeport/pricing/contracts';
import { leavesOf } from './leaves';

/** What every statement says otherwise, whatever its prices are. */
const STATEMENT_METADATA_KEYS: ReadonlySet<string> = new Set(['version', 'generatedAt']);
/** What every card says otherwise, too. */
const CARD_METADATA_KEYS: ReadonlySet<string> = new Set(['version', 'newSignupsFrom']);

/**
 * What a statement says otherwise than the one before it, a line each, for people. An announced card is compared with
 * the card that it will follow.
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
