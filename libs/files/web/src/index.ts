export { provideFiles } from './provide-files';
export { filesRoutes } from './routes';
