import { type DynamicModule, Module } from '@nestjs/common';
import {
  PROTECTED_RESOURCE,
  type ProtectedResource,
  ResourceMetadataController,
} from './adapters/http/resource-metadata.controller';

/** Serves the metadata with which programs sign people in. */
@Module({})
export class ResourceMetadataModule {
  static forRoot(protectedResource: ProtectedResource): DynamicModule {
    return {
      module: ResourceMetadataModule,
      controllers: [ResourceMetadataController],
      providers: [{ provide: PROTECTED_RESOURCE, useValue: protectedResource }],
    };
  }
}
