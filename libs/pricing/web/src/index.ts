export { pricingRoutes } from './routes';
