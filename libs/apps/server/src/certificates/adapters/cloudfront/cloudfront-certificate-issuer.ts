import type { DistributionTenant, ManagedCertificateDetails } from '@aws-sdk/client-cloudfront';
import {
  CertificateIssuer,
  type IssuanceOptions,
  type IssuanceStep,
  type RenewalAdvice,
} from '../../application/certificate-issuer.port';
import type { CertificateOrder } from '../../domain/certificate-order';
import { IssuanceFailed } from '../../domain/issuance-failed';
import { type CloudFrontOptions, CloudFrontTenants, type VersionedTenant } from './cloudfront-tenants';

/** By which CAA records permit certificates of AWS Certificate Manager. */
const CAA_IDENTITIES = ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'];
/** AWS validates a domain in minutes, and gives up after 72 hours. */
const VALIDATION_MS = 60_000;
/** Until CloudFront serves a domain with its certificate. */
const DEPLOYMENT_MS = 15_000;

/**
 * Lets CloudFront get, keep and renew the certificate of each own domain: a distribution tenant for each claim, below one
 * multi-tenant distribution. CloudFront answers the challenges itself. It has no certificates for wildcards.
 */
export class CloudFrontCertificateIssuer extends CertificateIssuer {
  readonly isManaged = true;
  readonly #tenants: CloudFrontTenants;

  constructor(options: CloudFrontOptions) {
    super();
    this.#tenants = new CloudFrontTenants(options);
  }

  /** The tenant has the name of the claim, so that a repeated call finds it. */
  async advance({ claimId, names }: CertificateOrder, { signal }: IssuanceOptions): Promise<IssuanceStep> {
    const [domain = ''] = names;
    if (claimId === undefined || domain.startsWith('*.')) {
      throw new IssuanceFailed('rejected', 'CloudFront has no certificates for wildcards');
    }
    const tenant = (await this.#tenants.find(claimId, signal)) ?? (await this.#tenants.add(claimId, domain, signal));
    if (isServed(tenant, domain)) return { outcome: 'managed' };
    const certificate = await this.#tenants.certificateOf(claimId, signal);
    if (certificate?.CertificateStatus === 'issued') return this.#use(tenant, certificate, signal);
    if (certificate === undefined || certificate.CertificateStatus === 'pending-validation') {
      return { outcome: 'waiting', retryAfterMs: VALIDATION_MS };
    }
    // A validation that ended is not repeated by itself.
    await this.#tenants.requestCertificate(tenant, domain, signal);
    throw new IssuanceFailed('challenge-failed', `the validation by AWS ended as ${certificate.CertificateStatus}`);
  }

  async caaIdentities(): Promise<readonly string[]> {
    return CAA_IDENTITIES;
  }

  /** CloudFront renews certificates itself. */
  async renewalAdvice(): Promise<RenewalAdvice | undefined> {
    return undefined;
  }

  override async removeUnused(
    used: (claimIds: readonly string[]) => Promise<ReadonlySet<string>>,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const page of this.#tenants.pages(signal)) {
      const kept = await used(page.map(({ claimId }) => claimId));
      for (const { claimId } of page.filter((each) => !kept.has(each.claimId))) {
        await this.#tenants.remove(claimId, signal);
      }
    }
  }

  /** Presents the issued certificate, unless CloudFront has attached it itself. */
  async #use(
    tenant: VersionedTenant,
    { CertificateArn: arn }: ManagedCertificateDetails,
    signal: AbortSignal,
  ): Promise<IssuanceStep> {
    if (arn !== undefined && tenant.Customizations?.Certificate?.Arn !== arn) {
      await this.#tenants.attach(tenant, arn, signal);
    }
    return { outcome: 'waiting', retryAfterMs: DEPLOYMENT_MS };
  }
}

function isServed({ Domains = [], Enabled }: DistributionTenant, domain: string): boolean {
  return Enabled === true && Domains.some(({ Domain, Status }) => Domain === domain && Status === 'active');
}
