export type { Box, LegacyBox, LegacyPlan, Meter, PricingStatement, SignupOption, UsageCard } from './pricing-statement';
