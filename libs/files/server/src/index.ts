export { InMemoryObjectStore } from './adapters/memory/in-memory-object-store';
export { ObservedObjectStore } from './adapters/outages/observed-object-store';
export { S3ObjectStore } from './adapters/s3/s3-object-store';
export type { S3StoreOptions } from './adapters/s3/s3-store-options';
export { MemoryBudget } from './application/memory-budget';
export { ObjectStore } from './application/object-store.port';
export type {
  ListedObject,
  ListOptions,
  ListPage,
  NotModified,
  ObjectRead,
  ObjectUpload,
  ReadConditions,
  StoredObject,
} from './application/object-store.port';
export { listWorkspaces } from './application/list-workspaces';
export { workspaceBytes } from './application/workspace-bytes';
export type { WriteCondition } from './domain/conditions';
export { StorageUnavailable } from './domain/files.errors';
export { workspaceRoot } from './domain/workspace-key';
export type { WorkspaceKey, WorkspacePrefix, WorkspaceRoot } from './domain/workspace-key';
export type { FilesOptions } from './files.module';
