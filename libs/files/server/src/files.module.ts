import { type DynamicModule, Module } from '@nestjs/common';
import { FilesController } from './adapters/http/files.controller';
import { FilesGateway } from './adapters/http/files-gateway';
import { ListingCursors } from './application/listing-cursors';
import type { ObjectStore } from './application/object-store.port';
import { Workspace } from './application/workspace';

export interface FilesOptions {
  readonly objectStore: ObjectStore;
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  /** 32 secret bytes that listing cursors are signed with, the same on every instance. */
  readonly cursorKey: Buffer;
}

/** The file gateway. */
@Module({})
export class FilesModule {
  static with({ objectStore, maxBytes, cursorKey }: FilesOptions): DynamicModule {
    const workspace = new Workspace(objectStore, new ListingCursors(cursorKey), maxBytes);
    return {
      module: FilesModule,
      controllers: [FilesController],
      providers: [{ provide: FilesGateway, useValue: new FilesGateway(workspace) }],
    };
  }
}
