export { PricingClient } from './pricing-client';
export { pricingRoutes } from './routes';
