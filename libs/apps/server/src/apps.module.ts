import { type DynamicModule, Module } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server';
import { AppsController, SubdomainsController } from './adapters/http/apps.controller';
import { HostingBody } from './adapters/http/apps.dto';
import { hostingOf } from './adapters/http/hosting';
import { HostingController } from './adapters/http/hosting.controller';
import { IdempotentRegistrations } from './adapters/http/idempotent-registrations';
import { AppRegistry } from './application/app-registry';
import type { AppRepository } from './application/app-repository.port';
import { DnsKeeper } from './application/dns-keeper';
import type { DnsLedger } from './application/dns-ledger.port';
import { DnsSweep } from './application/dns-sweep';
import type { DnsZone } from './application/dns-zone.port';
import type { IdempotencyKeys } from './application/idempotency-keys.port';
import { ZoneWriter } from './application/zone-writer';
import { DnsUpkeep } from './dns-upkeep';
import type { PlatformDomain } from './domain/platform-domain';

export interface AppsOptions {
  readonly appRepository: AppRepository;
  readonly dnsLedger: DnsLedger;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly dnsZone: DnsZone;
  readonly platformDomain: PlatformDomain;
  readonly jobs: JobQueue;
  /** How many apps an organization may have. */
  readonly quota: number;
}

/** App registration. */
@Module({})
export class AppsModule {
  static with(options: AppsOptions): DynamicModule {
    const {
      appRepository: apps,
      dnsLedger: ledger,
      dnsZone: zone,
      platformDomain: platform,
      idempotencyKeys: keys,
    } = options;
    const keeper = new DnsKeeper({ ledger, zone, platform, writer: new ZoneWriter(zone) });
    const registry = new AppRegistry({ apps, dns: keeper, platform, quota: options.quota });
    const sweep = new DnsSweep({ ledger, zone, platform });
    return {
      module: AppsModule,
      controllers: [AppsController, SubdomainsController, HostingController],
      providers: [
        { provide: AppRegistry, useValue: registry },
        { provide: IdempotentRegistrations, useValue: new IdempotentRegistrations(registry, keys) },
        { provide: HostingBody, useValue: hostingOf(platform, options.quota) },
        { provide: DnsUpkeep, useValue: new DnsUpkeep({ jobs: options.jobs, keeper, sweep, keys }) },
      ],
    };
  }
}
