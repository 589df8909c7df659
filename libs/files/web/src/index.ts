export { FilesClient } from './client/files-client';
export type { FileFacts, StoredFile } from './client/files-client';
export { filesRoutes } from './routes';
