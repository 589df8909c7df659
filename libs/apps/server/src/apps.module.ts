import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { type JobQueue, LargeResponses } from '@homeport/platform/server';
import { AppUseCases } from './adapters/http/app-use-cases';
import { AppsController, SubdomainsController } from './adapters/http/apps.controller';
import { HostingBody } from './adapters/http/apps.dto';
import { hostingOf } from './adapters/http/hosting';
import { AppDeploysController, DeploysController } from './adapters/http/deploys.controller';
import { HostingController } from './adapters/http/hosting.controller';
import type { AppsUnitOfWork } from './application/apps-unit-of-work.port';
import { AppCatalog } from './application/registry/app-catalog';
import type { AppRepository } from './application/registry/app-repository.port';
import type { ArchiveReader } from './application/deploys/archive-reader.port';
import type { BlobLedger } from './application/blobs/blob-ledger.port';
import type { BlobStore } from './application/blobs/blob-store.port';
import { ActivateDeploy } from './application/deploys/activate-deploy';
import { DeleteDeploy } from './application/deploys/delete-deploy';
import { DeployCatalog } from './application/deploys/deploy-catalog';
import { FinishDeploy } from './application/deploys/finish-deploy';
import { RollBack } from './application/deploys/roll-back';
import { DeployIngestion } from './application/deploys/deploy-ingestion';
import { DeployGarbageCollector } from './application/deploys/deploy-garbage-collector';
import type { DeployRepository } from './application/deploys/deploy-repository.port';
import { DnsReconciler } from './application/dns/dns-reconciler';
import type { DnsLedger } from './application/dns/dns-ledger.port';
import { DnsDriftDetector } from './application/dns/dns-drift-detector';
import type { DnsZone } from './application/dns/dns-zone.port';
import { DeleteApp } from './application/registry/delete-app';
import type { IdempotencyKeys } from './application/registry/idempotency-keys.port';
import type { NameRepository } from './application/registry/name-repository.port';
import { PurgeFormerOwners } from './application/registry/purge-former-owners';
import { RegisterApp } from './application/registry/register-app';
import { RegisterAppOnce } from './application/registry/register-app-once';
import { RetryDns } from './application/registry/retry-dns';
import { RecordPresenter } from './application/record-presenter';
import { SpoolFolder } from './application/blobs/spool-folder';
import { SiteUnpacker } from './application/deploys/site-unpacker';
import { ZoneWriter } from './application/dns/zone-writer';
import { DeployMaintenanceJobs } from './deploy-maintenance-jobs';
import { DnsMaintenanceJobs } from './dns-maintenance-jobs';
import type { ArchiveLimits } from './domain/deploys/archive-limits';
import type { HostnamePolicy } from './domain/hostname-policy';
import { AppQuota } from './domain/registry/app-quota';
import type { NameQuarantine } from './domain/registry/former-owner';

export interface AppsOptions {
  readonly unitOfWork: AppsUnitOfWork;
  readonly appRepository: AppRepository;
  readonly nameRepository: NameRepository;
  readonly dnsLedger: DnsLedger;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly dnsZone: DnsZone;
  readonly hostnames: HostnamePolicy;
  readonly jobs: JobQueue;
  /** How many apps an organization may have. */
  readonly quota: number;
  readonly quarantine: NameQuarantine;
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
    const { hostnames, dnsLedger: ledger, dnsZone: zone, quarantine } = options;
    const reconciler = new DnsReconciler({ ledger, zone, hostnames, writer: new ZoneWriter(zone) });
    return {
      module: AppsModule,
      controllers: [AppsController, AppDeploysController, DeploysController, SubdomainsController, HostingController],
      providers: [
        { provide: LargeResponses, useValue: new LargeResponses() },
        { provide: HostingBody, useValue: hostingOf(hostnames, options.quota, options.deploys.limits) },
        ...registryProviders(options, reconciler),
        ...deployProviders(options),
        {
          provide: DnsMaintenanceJobs,
          useValue: new DnsMaintenanceJobs({
            jobs: options.jobs,
            reconciler,
            driftDetector: new DnsDriftDetector({ ledger, zone, hostnames }),
            keys: options.idempotencyKeys,
            purgeFormerOwners: new PurgeFormerOwners(options.nameRepository, quarantine),
          }),
        },
      ],
    };
  }
}

function registryProviders(options: AppsOptions, dns: DnsReconciler): Provider[] {
  const { unitOfWork, hostnames, quarantine } = options;
  const { appRepository: apps, nameRepository: names, idempotencyKeys: keys } = options;
  const presenter = new RecordPresenter(hostnames);
  const dependencies = { unitOfWork, apps, names, dns, hostnames, presenter, quarantine };
  const catalog = new AppCatalog(dependencies);
  const registerApp = new RegisterApp({ ...dependencies, quota: new AppQuota(options.quota) });
  const registerOnce = new RegisterAppOnce({ registerApp, catalog, keys });
  const useCases = new AppUseCases(catalog, registerOnce, new DeleteApp(dependencies), new RetryDns(dependencies));
  return [
    { provide: AppCatalog, useValue: catalog },
    { provide: AppUseCases, useValue: useCases },
  ];
}

function deployProviders({ deploys: options, hostnames, jobs, unitOfWork }: AppsOptions): Provider[] {
  const { deployRepository: deploys, blobLedger: ledger, blobStore: blobs, archiveReader: reader, limits } = options;
  const presenter = new RecordPresenter(hostnames);
  const unpacker = new SiteUnpacker({ reader, ledger, blobs, limits });
  const garbageCollector = new DeployGarbageCollector({ deploys, ledger, blobs, retained: options.retained });
  const spools = new SpoolFolder();
  const finishDeploy = new FinishDeploy(unitOfWork);
  const ingestion = new DeployIngestion({ deploys, finishDeploy, unpacker, presenter, limits, spools });
  return [
    { provide: DeployCatalog, useValue: new DeployCatalog(deploys, presenter) },
    { provide: ActivateDeploy, useValue: new ActivateDeploy(unitOfWork, presenter) },
    { provide: RollBack, useValue: new RollBack(unitOfWork, presenter) },
    { provide: DeleteDeploy, useValue: new DeleteDeploy(unitOfWork) },
    { provide: DeployIngestion, useValue: ingestion },
    { provide: DeployMaintenanceJobs, useValue: new DeployMaintenanceJobs({ jobs, garbageCollector, spools }) },
  ];
}
