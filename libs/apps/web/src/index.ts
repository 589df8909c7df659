export { AppsClient } from './client/apps-client';
export { provideApps } from './provide-apps';
export { appsRoutes } from './routes';
