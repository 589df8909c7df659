export { FilesClient } from './client/files-client';
export type { FileMetadata, StoredFile } from './client/files-client';
export { provideFiles } from './provide-files';
export { filesRoutes } from './routes';
