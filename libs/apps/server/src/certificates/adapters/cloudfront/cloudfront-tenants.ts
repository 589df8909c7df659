import {
  CloudFrontClient,
  CloudFrontServiceException,
  CreateDistributionTenantCommand,
  DeleteDistributionTenantCommand,
  type DistributionTenant,
  GetDistributionTenantCommand,
  GetManagedCertificateDetailsCommand,
  ListDistributionTenantsCommand,
  type ManagedCertificateDetails,
  UpdateDistributionTenantCommand,
  type UpdateDistributionTenantCommandInput,
} from '@aws-sdk/client-cloudfront';
import { IssuanceFailed } from '../../domain/issuance-failed';

export interface CloudFrontOptions {
  /** Of the multi-tenant distribution in front of the edges. */
  readonly distributionId: string;
  /** Default: the default group of the account. Its routing endpoint is `CDN_HOSTNAME`. */
  readonly connectionGroupId?: string | undefined;
  /** Default: AWS. */
  readonly endpoint?: string | undefined;
  /** Default: the provider chain of the SDK. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** A tenant in a version that a change must name. */
export type VersionedTenant = DistributionTenant & { readonly version: string | undefined };

const NAME_PREFIX = 'homeport-';
/** Milliseconds. */
const TIMEOUTS = { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/** The distribution tenants of one multi-tenant distribution. Every method throws IssuanceFailed. */
export class CloudFrontTenants {
  readonly #client: CloudFrontClient;

  constructor(private readonly options: CloudFrontOptions) {
    const { credentials, endpoint } = options;
    this.#client = new CloudFrontClient({
      region: 'us-east-1',
      requestHandler: TIMEOUTS,
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials && { credentials }),
    });
  }

  /** @returns undefined for a claim without a tenant. */
  async find(claimId: string, signal: AbortSignal): Promise<VersionedTenant | undefined> {
    const command = new GetDistributionTenantCommand({ Identifier: nameOf(claimId) });
    const found = await absentWhen('EntityNotFound', this.#client.send(command, { abortSignal: signal }));
    return found?.DistributionTenant && { ...found.DistributionTenant, version: found.ETag };
  }

  /** Adds a tenant, and requests its certificate. */
  async add(claimId: string, domain: string, signal: AbortSignal): Promise<VersionedTenant> {
    const command = new CreateDistributionTenantCommand({
      DistributionId: this.options.distributionId,
      ConnectionGroupId: this.options.connectionGroupId,
      Name: nameOf(claimId),
      Domains: [{ Domain: domain }],
      ManagedCertificateRequest: certificateRequest(domain),
      Enabled: true,
    });
    const added = await calling(this.#client.send(command, { abortSignal: signal }));
    return { ...added.DistributionTenant, version: added.ETag };
  }

  /** @returns undefined before AWS knows the request for a certificate. */
  async certificateOf(claimId: string, signal: AbortSignal): Promise<ManagedCertificateDetails | undefined> {
    const command = new GetManagedCertificateDetailsCommand({ Identifier: nameOf(claimId) });
    const found = await absentWhen('EntityNotFound', this.#client.send(command, { abortSignal: signal }));
    return found?.ManagedCertificateDetails;
  }

  /** @param arn of an issued certificate. */
  attach(tenant: VersionedTenant, arn: string, signal: AbortSignal): Promise<void> {
    return this.#update(tenant, { Customizations: { ...tenant.Customizations, Certificate: { Arn: arn } } }, signal);
  }

  requestCertificate(tenant: VersionedTenant, domain: string, signal: AbortSignal): Promise<void> {
    return this.#update(tenant, { ManagedCertificateRequest: certificateRequest(domain) }, signal);
  }

  /** Disables a tenant, or deletes one that was disabled before: CloudFront needs minutes in between. */
  async remove(claimId: string, signal: AbortSignal): Promise<void> {
    const tenant = await this.find(claimId, signal);
    if (!tenant) return;
    if (tenant.Enabled) return this.#update(tenant, { Enabled: false }, signal);
    const command = new DeleteDistributionTenantCommand({ Id: tenant.Id, IfMatch: tenant.version });
    // It is still being disabled, or another instance deleted it. The next call continues.
    await absentWhen(
      /^(?:ResourceNotDisabled|PreconditionFailed|EntityNotFound)$/,
      this.#client.send(command, { abortSignal: signal }),
    );
  }

  /** All tenants that this product added, in pages. */
  async *pages(signal: AbortSignal): AsyncGenerator<readonly { readonly claimId: string }[]> {
    let marker: string | undefined;
    do {
      const command = new ListDistributionTenantsCommand({
        AssociationFilter: { DistributionId: this.options.distributionId },
        Marker: marker,
      });
      const page = await calling(this.#client.send(command, { abortSignal: signal }));
      const names = (page.DistributionTenantList ?? []).map(({ Name = '' }) => Name);
      yield names
        .filter((name) => name.startsWith(NAME_PREFIX))
        .map((name) => ({ claimId: name.slice(NAME_PREFIX.length) }));
      marker = page.NextMarker;
    } while (marker !== undefined);
  }

  /** An update replaces what it names, and needs all of it. */
  async #update(
    { Id, version, ConnectionGroupId, Customizations, Domains = [] }: VersionedTenant,
    changes: Partial<UpdateDistributionTenantCommandInput>,
    signal: AbortSignal,
  ): Promise<void> {
    const command = new UpdateDistributionTenantCommand({
      Id,
      IfMatch: version,
      DistributionId: this.options.distributionId,
      ConnectionGroupId,
      Customizations,
      Domains: Domains.map(({ Domain }) => ({ Domain })),
      Enabled: true,
      ...changes,
    });
    await calling(this.#client.send(command, { abortSignal: signal }));
  }
}

function nameOf(claimId: string): string {
  return `${NAME_PREFIX}${claimId}`;
}

function certificateRequest(domain: string) {
  return { ValidationTokenHost: 'cloudfront', PrimaryDomainName: domain } as const;
}

async function calling<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    throw failureOf(cause);
  }
}

async function absentWhen<T>(name: string | RegExp, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (cause) {
    if (cause instanceof CloudFrontServiceException && new RegExp(name).test(cause.name)) return undefined;
    throw failureOf(cause);
  }
}

function failureOf(cause: unknown): IssuanceFailed {
  const name = cause instanceof CloudFrontServiceException ? cause.name : '';
  const status = cause instanceof CloudFrontServiceException ? (cause.$metadata.httpStatusCode ?? 0) : 0;
  if (name === 'CNAMEAlreadyExists') {
    return new IssuanceFailed('rejected', 'another distribution of CloudFront uses the domain', undefined, { cause });
  }
  if (name === 'Throttling' || name === 'ThrottlingException') {
    return new IssuanceFailed('rate-limited', 'AWS limits the calls', undefined, { cause });
  }
  // Another instance was faster, so that the version is old.
  const isRace = ['EntityAlreadyExists', 'InvalidIfMatchVersion', 'PreconditionFailed'].includes(name);
  if (status === 0 || status >= 500 || isRace) {
    return new IssuanceFailed('unavailable', 'CloudFront could not be asked', undefined, { cause });
  }
  return new IssuanceFailed('rejected', `CloudFront answers ${name || status}`, undefined, { cause });
}
