export { cardFor } from './card-for';
export { type CardItem, freeWords, itemsOf, sizeLabel, USAGE_GROUPS, type UsageGroup } from './card-items';
export { decimalText, PRICE_PLACES, QUANTITY_PLACES, scaled } from './decimals';
export { type Estimate, type EstimateLine, estimateOf } from './estimate';
export { EstimateRequest } from './estimate-request';
export type { Box, LegacyBox, LegacyPlan, Meter, PricingStatement, SignupOption, UsageCard } from './pricing-statement';
export { rate, type RatedLine, type Rating, type Trial, usdText } from './rate';
export { type Quantity, quantityOf, type Usage, type UsageFault, usageFaults } from './usage';
