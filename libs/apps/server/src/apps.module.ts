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
import { Releases } from './application/deploys/releases';
import { DeployIngestion } from './application/deploys/deploy-ingestion';
import { DeployGarbageCollector } from './application/deploys/deploy-garbage-collector';
import type { DeployRepository } from './application/deploys/deploy-repository.port';
import { DnsReconciler } from './application/dns/dns-reconciler';
import type { DnsLedger } from './application/dns/dns-ledger.port';
import { DnsDriftDetector } from './application/dns/dns-drift-detector';
import type { DnsZone } from './application/dns/dns-zone.port';
import type { IdempotencyKeys } from './application/registry/idempotency-keys.port';
import { SpoolFolder } from './application/blobs/spool-folder';
import { SiteUnpacker } from './application/deploys/site-unpacker';
import { ZoneWriter } from './application/dns/zone-writer';
import { DeployMaintenanceJobs } from './deploy-maintenance-jobs';
import { DnsMaintenanceJobs } from './dns-maintenance-jobs';
import type { ArchiveLimits } from './domain/deploys/archive-limits';
import type { HostnamePolicy } from './domain/hostname-policy';

export interface AppsOptions {
  readonly appRepository: AppRepository;
  readonly dnsLedger: DnsLedger;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly dnsZone: DnsZone;
  readonly platformDomain: HostnamePolicy;
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
  /** How many ready deploys of an app are kept. */
  readonly retained: number;
}

/** Apps, their DNS records and their deploys. */
@Module({})
export class AppsModule {
  static forRoot(options: AppsOptions): DynamicModule {
    const {
      appRepository: apps,
      dnsLedger: ledger,
      dnsZone: zone,
      platformDomain: platform,
      idempotencyKeys: keys,
    } = options;
    const reconciler = new DnsReconciler({ ledger, zone, platform, writer: new ZoneWriter(zone) });
    const registry = new AppRegistry({ apps, dns: reconciler, platform, quota: options.quota });
    const driftDetector = new DnsDriftDetector({ ledger, zone, platform });
    return {
      module: AppsModule,
      controllers: [AppsController, AppDeploysController, DeploysController, SubdomainsController, HostingController],
      providers: [
        { provide: AppRegistry, useValue: registry },
        { provide: LargeResponses, useValue: new LargeResponses() },
        { provide: IdempotentRegistrations, useValue: new IdempotentRegistrations(registry, keys) },
        { provide: HostingBody, useValue: hostingOf(platform, options.quota, options.deploys.limits) },
        ...deployProviders(options),
        {
          provide: DnsMaintenanceJobs,
          useValue: new DnsMaintenanceJobs({ jobs: options.jobs, reconciler, driftDetector, keys, apps }),
        },
      ],
    };
  }
}

function deployProviders({ deploys: options, platformDomain: platform, jobs }: AppsOptions): Provider[] {
  const { deployRepository: deploys, blobLedger: ledger, blobStore: blobs, archiveReader: reader, limits } = options;
  const unpacker = new SiteUnpacker({ reader, ledger, blobs, limits });
  const garbageCollector = new DeployGarbageCollector({ deploys, ledger, blobs, retained: options.retained });
  const spools = new SpoolFolder();
  const ingestion = new DeployIngestion({ deploys, unpacker, platform, limits, spools });
  return [
    { provide: Releases, useValue: new Releases(deploys, platform) },
    { provide: DeployIngestion, useValue: ingestion },
    { provide: DeployMaintenanceJobs, useValue: new DeployMaintenanceJobs({ jobs, garbageCollector, spools }) },
  ];
}
