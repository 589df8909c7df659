export { provideApps } from './provide-apps';
export { appsRoutes } from './routes';
