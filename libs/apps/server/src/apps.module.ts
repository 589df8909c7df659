import { type DynamicModule, Module } from '@nestjs/common';
import { AppsController } from './adapters/http/apps.controller';
import { AppRegistry } from './application/app-registry';
import type { AppRepository } from './application/app-repository.port';
import type { DnsZone } from './application/dns-zone.port';
import type { PlatformDomain } from './domain/platform-domain';

export interface AppsOptions {
  readonly appRepository: AppRepository;
  readonly dnsZone: DnsZone;
  readonly platformDomain: PlatformDomain;
}

/** App registration. */
@Module({})
export class AppsModule {
  static with({ appRepository, dnsZone, platformDomain }: AppsOptions): DynamicModule {
    return {
      module: AppsModule,
      controllers: [AppsController],
      providers: [{ provide: AppRegistry, useValue: new AppRegistry(appRepository, dnsZone, platformDomain) }],
    };
  }
}
