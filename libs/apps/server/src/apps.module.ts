import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { type JobQueue, LargeResponses } from '@homeport/platform/server';
import { AppsController, SubdomainsController } from './adapters/http/apps.controller';
import { HostingBody } from './adapters/http/apps.dto';
import { hostingOf } from './adapters/http/hosting';
import { AppDeploysController, DeploysController } from './adapters/http/deploys.controller';
import { HostingController } from './adapters/http/hosting.controller';
import { IdempotentRegistrations } from './adapters/http/idempotent-registrations';
import { AppRegistry } from './application/registry/app-registry';
import type { AppRepository } from './application/registry/app-repository.port';
import type { ArchiveReader } from './application/deploys/archive-reader.port';
import type { BlobLedger } from './application/blobs/blob-ledger.port';
import type { BlobStore } from './application/blobs/blob-store.port';
import { DeployDesk } from './application/deploys/deploy-desk';
import { DeployIntake } from './application/deploys/deploy-intake';
import { DeployKeeper } from './application/deploys/deploy-keeper';
import type { DeployRepository } from './application/deploys/deploy-repository.port';
import { DnsKeeper } from './application/dns/dns-keeper';
import type { DnsLedger } from './application/dns/dns-ledger.port';
import { DnsSweep } from './application/dns/dns-sweep';
import type { DnsZone } from './application/dns/dns-zone.port';
import type { IdempotencyKeys } from './application/registry/idempotency-keys.port';
import { SpoolFolder } from './application/blobs/spool-folder';
import { SiteUnpacker } from './application/deploys/site-unpacker';
import { ZoneWriter } from './application/dns/zone-writer';
import { DeployUpkeep } from './deploy-upkeep';
import { DnsUpkeep } from './dns-upkeep';
import type { ArchiveLimits } from './domain/deploys/archive-limits';
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
  readonly deploys: DeploysOptions;
}

export interface DeploysOptions {
  readonly deployRepository: DeployRepository;
  readonly blobLedger: BlobLedger;
  readonly blobStore: BlobStore;
  readonly archiveReader: ArchiveReader;
  readonly limits: ArchiveLimits;
  /** How many deploys of an app that are ready are kept. */
  readonly kept: number;
}

/** Apps, their DNS records, and what is deployed to them. */
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
      controllers: [AppsController, AppDeploysController, DeploysController, SubdomainsController, HostingController],
      providers: [
        { provide: AppRegistry, useValue: registry },
        { provide: LargeResponses, useValue: new LargeResponses() },
        { provide: IdempotentRegistrations, useValue: new IdempotentRegistrations(registry, keys) },
        { provide: HostingBody, useValue: hostingOf(platform, options.quota, options.deploys.limits) },
        ...deployProviders(options),
        { provide: DnsUpkeep, useValue: new DnsUpkeep({ jobs: options.jobs, keeper, sweep, keys, apps }) },
      ],
    };
  }
}

function deployProviders({ deploys: options, platformDomain: platform, jobs }: AppsOptions): Provider[] {
  const { deployRepository: deploys, blobLedger: ledger, blobStore: blobs, archiveReader: reader, limits } = options;
  const unpacker = new SiteUnpacker({ reader, ledger, blobs, limits });
  const keeper = new DeployKeeper({ deploys, ledger, blobs, kept: options.kept });
  const spools = new SpoolFolder();
  const intake = new DeployIntake({ deploys, unpacker, platform, limits, spools });
  return [
    { provide: DeployDesk, useValue: new DeployDesk(deploys, platform) },
    { provide: DeployIntake, useValue: intake },
    { provide: DeployUpkeep, useValue: new DeployUpkeep({ jobs, keeper, spools }) },
  ];
}
