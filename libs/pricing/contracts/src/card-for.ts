/**
 * The card that an account is charged by: the last that had begun when it was created. A card that comes later changes
 * nothing for it, so every account keeps its prices. Undefined before the first card: such an account has a legacy plan.
 * @param cards in any order.
 */
export function cardFor<Card extends { readonly newSignupsFrom: string }>(
  createdAt: Date,
  cards: readonly Card[],
): Card | undefined {
  const beginning = (card: Card) => Date.parse(card.newSignupsFrom);
  return cards
    .filter((card) => beginning(card) <= createdAt.getTime())
    .reduce<Card | undefined>((last, card) => (last && beginning(last) > beginning(card) ? last : card), undefined);
}
