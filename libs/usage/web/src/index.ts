export { usageRoutes } from './routes';
