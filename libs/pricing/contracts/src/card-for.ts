/**
 * The usage card of an account: the latest card in effect when the account was created. Later cards do not apply to it,
 * so every account keeps its prices.
 * @param cards in any order.
 * @returns undefined for an account older than the first card, which has a legacy plan.
 */
export function cardFor<Card extends { readonly newSignupsFrom: string }>(
  createdAt: Date,
  cards: readonly Card[],
): Card | undefined {
  const startOf = (card: Card) => Date.parse(card.newSignupsFrom);
  return cards
    .filter((card) => startOf(card) <= createdAt.getTime())
    .reduce<Card | undefined>((last, card) => (last && startOf(last) > startOf(card) ? last : card), undefined);
}
