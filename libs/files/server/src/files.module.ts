import { type DynamicModule, Module } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ArchiveResponses } from './adapters/http/archive-responses';
import { ArchivesController } from './adapters/http/archives.controller';
import { FilesController } from './adapters/http/files.controller';
import { FileRequestHandler } from './adapters/http/file-request-handler';
import { ArchiveTickets, type TicketSealer } from './application/archive-tickets';
import { Archives } from './application/archives';
import { ListingCursors } from './application/listing-cursors';
import type { MemoryBudget } from './application/memory-budget';
import type { ObjectStore } from './application/object-store.port';
import { Workspace } from './application/workspace';
import type { WorkspaceKey } from './domain/workspace-key';
import { StorageMaintenance } from './storage-maintenance';

const MAX_CACHED_ETAGS = 10_000;

export interface FilesOptions {
  readonly objectStore: ObjectStore;
  /** Shared by all uploads and the object store. */
  readonly memory: MemoryBudget;
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  /** Encrypt listing cursors: 32 secret bytes each, newest first, the same on every instance. */
  readonly cursorKeys: readonly Buffer[];
  /** Encrypts the links of archives, with the same keys on every instance. */
  readonly ticketSealer: TicketSealer;
}

/** The files API: lists, reads, writes and deletes the files of a user. */
@Module({})
export class FilesModule {
  static forRoot({ objectStore, cursorKeys, memory, maxBytes, ticketSealer }: FilesOptions): DynamicModule {
    const tags = new LRUCache<WorkspaceKey, string>({ max: MAX_CACHED_ETAGS });
    const workspace = new Workspace(objectStore, new ListingCursors(cursorKeys), { memory, maxBytes, tags });
    const archives = new Archives(objectStore, new ArchiveTickets(ticketSealer));
    return {
      module: FilesModule,
      controllers: [FilesController, ArchivesController],
      providers: [
        { provide: FileRequestHandler, useValue: new FileRequestHandler(workspace) },
        { provide: Archives, useValue: archives },
        { provide: ArchiveResponses, useValue: new ArchiveResponses() },
        { provide: StorageMaintenance, useValue: new StorageMaintenance(objectStore) },
      ],
    };
  }
}
