import type { Catalog } from './catalog';

type Parts = Pick<Catalog, 'cards' | 'legacy' | 'billingRules'>;

/** Finds problems that span several entries or files. @param catalog with cards in any order. */
export function crossFileProblems({ cards, legacy, billingRules }: Parts): string[] {
  return [
    ...cardProblems(cards),
    ...legacyProblems(legacy),
    ...closingProblems(cards, legacy),
    ...waiverProblems(cards, billingRules),
  ];
}

function waiverProblems(cards: Parts['cards'], { trial }: Parts['billingRules']): string[] {
  const waivedBy = ({ meters }: Parts['cards'][number]) => meters.filter((meter) => meter.waivedInTrial);
  return cards
    .filter((card) => String(waivedBy(card).map(({ id }) => id)) !== String(trial.waivedMeters))
    .map(({ version }) => `billing-rules.json: trial.waivedMeters is not what card ${version} waives`);
}

function cardProblems(cards: Parts['cards']): string[] {
  return [
    ...(hasDuplicates(cards.map(({ newSignupsFrom }) => Date.parse(newSignupsFrom)))
      ? ['usage: two cards begin at the same instant']
      : []),
    ...(hasDuplicates(cards.map(({ version }) => version)) ? ['usage: two cards have the same version'] : []),
    ...cards.flatMap(({ version, meters, boxes, free }) => [
      ...cheaperThanSmallerSize(boxes).map(
        (size) => `usage/${version}.json: box ${size} costs less than the size before it`,
      ),
      ...(hasDuplicates(meters.map(({ label }) => label))
        ? [`usage/${version}.json: two meters have the same label`]
        : []),
      ...free
        .filter((id) => meters.some((meter) => meter.id === id))
        .map((id) => `usage/${version}.json: ${id} is free and a meter`),
    ]),
  ];
}

function legacyProblems({ plans, agentRungs, addOns, grandfatherRule }: Parts['legacy']): string[] {
  const { plan, createdBefore } = grandfatherRule.appliesTo;
  const grandfathered = plans.filter(({ id }) => id === plan);
  const { until } = grandfatherRule;
  return [
    ...(hasDuplicates(plans.map(({ id }) => id)) ? ['two plans have the same id'] : []),
    ...(grandfathered.length > 0 ? [] : [`grandfatherRule names no plan: ${plan}`]),
    ...(grandfathered.length > 0 &&
    !grandfathered.some((each) => Date.parse(each.newSignupsUntil) === Date.parse(createdBefore))
      ? [`grandfatherRule.appliesTo.createdBefore is not when ${plan} closed`]
      : []),
    ...(until !== null && Date.parse(until) <= Date.parse(createdBefore)
      ? ['grandfatherRule.until is not after appliesTo.createdBefore']
      : []),
    ...cheaperThanSmallerSize(agentRungs).map((size) => `agentRungs: ${size} costs less than the size before it`),
    ...(addOns.outpost.label === addOns.meetingHours.label ? ['addOns: both have the same label'] : []),
  ].map((problem) => `legacy.json: ${problem}`);
}

/** `newSignupsUntil` is exclusive, `newSignupsFrom` inclusive: at any instant, a new account has one offer. */
function closingProblems(cards: Parts['cards'], { plans, agentRungs, addOns }: Parts['legacy']): string[] {
  const begin = Math.min(...cards.map(({ newSignupsFrom }) => Date.parse(newSignupsFrom)));
  const closing = [...plans, ...agentRungs, ...Object.values(addOns)].map((each) => Date.parse(each.newSignupsUntil));
  if (cards.length === 0) return [];
  return [
    ...(closing.some((until) => until > begin) ? ['legacy.json: something closes after the first card begins'] : []),
    ...(Math.max(...plans.map(({ newSignupsUntil }) => Date.parse(newSignupsUntil))) < begin
      ? ['legacy.json: the last plan closes before the first card begins']
      : []),
  ];
}

/** Sizes that cost less than the previous, smaller size. */
function cheaperThanSmallerSize(boxes: readonly { readonly size: string; readonly monthlyUsd: string }[]): string[] {
  return boxes
    .filter(({ monthlyUsd }, n) => n > 0 && Number(monthlyUsd) < Number(boxes[n - 1]?.monthlyUsd))
    .map(({ size }) => size);
}

function hasDuplicates(values: readonly (string | number)[]): boolean {
  return new Set(values).size < values.length;
}
