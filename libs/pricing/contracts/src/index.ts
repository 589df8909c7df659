export { cardFor } from './card-for';
export { type CardItem, freeItemLabel, itemsOf, sizeLabel, USAGE_GROUPS, type UsageGroup } from './card-items';
export { divideHalfEven, formatDecimal, PRICE_PLACES, QUANTITY_PLACES, parseDecimal } from './decimals';
export { type Estimate, type EstimateLine, estimateOf } from './estimate';
export { EstimateRequest } from './estimate-request';
export type { Box, LegacyBox, LegacyPlan, Meter, PricingStatement, SignupOption, UsageCard } from './pricing-statement';
export {
  rate,
  type RatedLine,
  rateSplit,
  recordedQuantityOf,
  type Rating,
  type SplitUsage,
  type Trial,
  centsToUsd,
} from './rate';
export { type Quantity, quantityOf, type Usage, type UsageFault, usageFaults } from './usage';
