import type { AppType } from '@homeport/apps/contracts';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { type JobQueue } from '@homeport/platform/server/jobs';
import { LargeResponses } from '@homeport/platform/server/http';
import { AppUseCases } from './registry/adapters/http/app-use-cases';
import { AppsController, SubdomainsController } from './registry/adapters/http/apps.controller';
import { HostingBody } from './registry/adapters/http/apps.dto';
import { hostingOf } from './registry/adapters/http/hosting';
import { AppDeploysController, DeploysController } from './deploys/adapters/http/deploys.controller';
import { DeployUploadsController } from './deploys/adapters/http/deploy-uploads.controller';
import { HostingController } from './registry/adapters/http/hosting.controller';
import type { AppsUnitOfWork } from './shared/application/apps-unit-of-work.port';
import { AppCatalog } from './registry/application/app-catalog';
import type { AppRepository } from './registry/application/app-repository.port';
import type { ArchiveReader } from './deploys/application/archive-reader.port';
import type { BlobLedger } from './blobs/application/blob-ledger.port';
import type { BlobStore } from '@homeport/platform/server/blobs';
import { ActivateDeploy } from './deploys/application/activate-deploy';
import { DeleteDeploy } from './deploys/application/delete-deploy';
import { DeployCatalog } from './deploys/application/deploy-catalog';
import { DomainsController } from './domains/adapters/http/domains.controller';
import { certificateProviders, type CertificatesOptions } from './certificates/certificate-providers';
import { domainProviders, type DomainsOptions } from './domains/domain-providers';
import { EnvironmentController } from './environment/adapters/http/environment.controller';
import { EnvironmentEditor } from './environment/application/environment-editor';
import type { VariableSealer } from './environment/application/variable-sealer.port';
import { ChangesController } from './changes/adapters/http/changes.controller';
import { ChangeStreams } from './changes/adapters/http/change-streams';
import type { AppChangeFeed } from './changes/application/app-change-feed.port';
import { FinishDeploy } from './deploys/application/finish-deploy';
import type { StartChecks } from './deploys/application/start-checks.port';
import { StartServer } from './deploys/application/start-server';
import { ReleaseAlias } from './deploys/application/release-alias';
import { RollBack } from './deploys/application/roll-back';
import { DeployIngestion } from './deploys/application/deploy-ingestion';
import { FinishDeployByDigest } from './deploys/application/finish-deploy-by-digest';
import type { ManifestRepository } from './deploys/application/manifest-repository.port';
import { ReceiveBlob } from './deploys/application/receive-blob';
import { StartDeployByDigest } from './deploys/application/start-deploy-by-digest';
import { DeployGarbageCollector } from './deploys/application/deploy-garbage-collector';
import type { DeployRepository } from './deploys/application/deploy-repository.port';
import { DnsReconciler } from './dns/application/dns-reconciler';
import type { DnsLedger } from './dns/application/dns-ledger.port';
import { DnsDriftDetector } from './dns/application/dns-drift-detector';
import type { DnsZone } from './dns/application/dns-zone.port';
import { DeleteApp } from './registry/application/delete-app';
import type { IdempotencyKeys } from './registry/application/idempotency-keys.port';
import type { FormerOwnerRepository } from './registry/application/former-owner-repository.port';
import { PurgeFormerOwners } from './registry/application/purge-former-owners';
import { RegisterApp } from './registry/application/register-app';
import { RegisterAppOnce } from './registry/application/register-app-once';
import { RetryDns } from './registry/application/retry-dns';
import { AppPresenter } from './shared/application/app-presenter';
import { CompressionSlots } from './blobs/application/compression-slots';
import { SpoolFolder } from './blobs/application/spool-folder';
import { SiteUnpacker } from './deploys/application/site-unpacker';
import { RuntimeController } from './runtime/adapters/http/runtime.controller';
import { LogStreams } from './runtime/adapters/http/log-streams';
import { AppRuntime } from './runtime/application/app-runtime';
import { LogFollower } from './runtime/application/log-follower';
import type { RuntimeFeed } from './runtime/application/runtime-feed.port';
import type { RuntimeReports } from './runtime/application/runtime-reports.port';
import { DeployMaintenanceJobs } from './maintenance/deploy-maintenance-jobs';
import { DnsMaintenanceJobs } from './maintenance/dns-maintenance-jobs';
import type { ArchiveLimits } from './deploys/domain/archive-limits';
import type { HostnamePolicy } from './shared/domain/hostname-policy';
import { AppQuota } from './registry/domain/app-quota';
import type { NameQuarantine } from './registry/domain/former-owner';

export interface AppsOptions {
  readonly unitOfWork: AppsUnitOfWork;
  readonly appRepository: AppRepository;
  readonly formerOwnerRepository: FormerOwnerRepository;
  readonly dnsLedger: DnsLedger;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly dnsZone: DnsZone;
  readonly hostnames: HostnamePolicy;
  readonly changeFeed: AppChangeFeed;
  /** The types of apps that can be registered. */
  readonly appTypes: readonly AppType[];
  readonly jobs: JobQueue;
  /** How many apps an organization may have. */
  readonly quota: number;
  readonly quarantine: NameQuarantine;
  /** Undefined without keys for secrets. */
  readonly variableSealer: VariableSealer | undefined;
  /** What runtimes report. */
  readonly runtime: { readonly reports: RuntimeReports; readonly feed: RuntimeFeed };
  readonly deploys: DeploysOptions;
  readonly domains: DomainsOptions;
  /** Undefined when this installation gets no certificates. */
  readonly certificates: CertificatesOptions | undefined;
}

export interface DeploysOptions {
  readonly deployRepository: DeployRepository;
  readonly manifestRepository: ManifestRepository;
  readonly blobLedger: BlobLedger;
  readonly blobStore: BlobStore;
  readonly archiveReader: ArchiveReader;
  readonly startChecks: StartChecks;
  readonly limits: ArchiveLimits;
  /** How many ready deploys of an app are kept. */
  readonly retained: number;
}

/** Apps, their DNS records and their deploys. */
@Module({})
export class AppsModule {
  static forRoot(options: AppsOptions): DynamicModule {
    const { hostnames, dnsLedger: ledger, dnsZone: zone, quarantine } = options;
    const reconciler = new DnsReconciler({ ledger, zone, hostnames });
    return {
      module: AppsModule,
      controllers: [
        AppsController,
        AppDeploysController,
        DeploysController,
        DeployUploadsController,
        SubdomainsController,
        HostingController,
        ChangesController,
        EnvironmentController,
        RuntimeController,
        DomainsController,
      ],
      providers: [
        { provide: ChangeStreams, useValue: new ChangeStreams(options.changeFeed) },
        { provide: LargeResponses, useValue: new LargeResponses() },
        { provide: HostingBody, useValue: hostingOf(hostnames, options) },
        { provide: EnvironmentEditor, useValue: new EnvironmentEditor(options.unitOfWork, options.variableSealer) },
        ...domainProviders(options),
        ...certificateProviders(options),
        ...runtimeProviders(options),
        ...registryProviders(options, reconciler),
        ...deployProviders(options),
        {
          provide: DnsMaintenanceJobs,
          useValue: new DnsMaintenanceJobs({
            jobs: options.jobs,
            reconciler,
            driftDetector: new DnsDriftDetector({ ledger, zone, hostnames }),
            keys: options.idempotencyKeys,
            purgeFormerOwners: new PurgeFormerOwners(options.formerOwnerRepository, quarantine),
          }),
        },
      ],
    };
  }
}

function runtimeProviders({ unitOfWork, appRepository: apps, runtime }: AppsOptions): Provider[] {
  const { reports, feed } = runtime;
  return [
    { provide: AppRuntime, useValue: new AppRuntime({ unitOfWork, apps, reports }) },
    { provide: LogStreams, useValue: new LogStreams(new LogFollower(reports, feed)) },
  ];
}

function registryProviders(options: AppsOptions, dns: DnsReconciler): Provider[] {
  const { unitOfWork, hostnames, quarantine } = options;
  const { appRepository: apps, formerOwnerRepository: formerOwners, idempotencyKeys: keys } = options;
  const presenter = new AppPresenter(hostnames);
  const dependencies = { unitOfWork, apps, formerOwners, dns, hostnames, presenter, quarantine };
  const catalog = new AppCatalog(dependencies);
  const registerApp = new RegisterApp({ ...dependencies, quota: new AppQuota(options.quota), types: options.appTypes });
  const registerOnce = new RegisterAppOnce({ registerApp, catalog, keys });
  const useCases = new AppUseCases(catalog, registerOnce, new DeleteApp(dependencies), new RetryDns(dependencies));
  return [
    { provide: AppCatalog, useValue: catalog },
    { provide: AppUseCases, useValue: useCases },
  ];
}

function deployProviders(options: AppsOptions): Provider[] {
  const { hostnames, jobs, unitOfWork } = options;
  const { reports } = options.runtime;
  const { deployRepository: deploys, manifestRepository: manifests, retained } = options.deploys;
  const { blobLedger: ledger, blobStore: blobs } = options.deploys;
  const presenter = new AppPresenter(hostnames);
  const garbageCollector = new DeployGarbageCollector({ deploys, manifests, ledger, blobs, retained });
  const spools = new SpoolFolder();
  return [
    { provide: DeployCatalog, useValue: new DeployCatalog(deploys, presenter) },
    { provide: ActivateDeploy, useValue: new ActivateDeploy(unitOfWork, presenter) },
    { provide: ReleaseAlias, useValue: new ReleaseAlias(unitOfWork) },
    { provide: RollBack, useValue: new RollBack(unitOfWork, presenter) },
    { provide: DeleteDeploy, useValue: new DeleteDeploy(unitOfWork) },
    ...uploadProviders(options, presenter, spools),
    {
      provide: DeployMaintenanceJobs,
      useValue: new DeployMaintenanceJobs({ jobs, garbageCollector, spools, reports }),
    },
  ];
}

/** The use cases that receive files. They share the slots for compression, and stop together. */
function uploadProviders(options: AppsOptions, presenter: AppPresenter, spools: SpoolFolder): Provider[] {
  const { unitOfWork, appRepository: apps } = options;
  const { deployRepository: deploys, manifestRepository: manifests, archiveReader: reader, limits } = options.deploys;
  const { blobLedger: ledger, blobStore: blobs } = options.deploys;
  const slots = new CompressionSlots();
  const stopping = new AbortController();
  const unpacker = new SiteUnpacker({ reader, ledger, blobs, limits, slots });
  const finishDeploy = new FinishDeploy(unitOfWork);
  const startServer = new StartServer({ unitOfWork, deploys, checks: options.deploys.startChecks });
  const byDigest = {
    apps,
    deploys,
    manifests,
    ledger,
    blobs,
    slots,
    spools,
    limits,
    presenter,
    finishDeploy,
    startServer,
  };
  const dependencies = { ...byDigest, stopping: stopping.signal };
  return [
    {
      provide: DeployIngestion,
      useValue: new DeployIngestion({ ...byDigest, unpacker, stopping }),
    },
    { provide: StartDeployByDigest, useValue: new StartDeployByDigest(dependencies) },
    { provide: ReceiveBlob, useValue: new ReceiveBlob(dependencies) },
    { provide: FinishDeployByDigest, useValue: new FinishDeployByDigest(dependencies) },
  ];
}
