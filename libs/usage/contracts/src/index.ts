export { BillingPeriod } from './billing-period';
export { type Budget, BudgetRequest } from './budget';
export type { ChargeCorrection, ChargedLine, ChargedMonth, ChargeList, ChargeSummary } from './charges';
export { reachedPercentages } from './reached-percentages';
export type {
  AccountTrial,
  DailyQuantity,
  DailyUsage,
  LegacyPlans,
  ReportedUsage,
  StatementReference,
  UsageLine,
  UsageMonth,
} from './usage-month';
