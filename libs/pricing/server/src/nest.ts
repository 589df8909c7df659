// Apart from index.ts, because Nest takes most of the time in which a program loads, and commands do without it.
export { PricingModule } from './pricing.module';
