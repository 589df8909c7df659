export { AppsClient } from './client/apps-client';
export { appsRoutes } from './routes';
