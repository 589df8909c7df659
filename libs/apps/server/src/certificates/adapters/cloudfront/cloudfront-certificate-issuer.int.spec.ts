import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { certificateIssuerContract } from '../../../testing/certificate-issuer.contract';
import { certificateOrder as orderOf } from '../../../testing/certificate-orders';
import { CloudFrontDouble } from '../../../testing/cloudfront/cloudfront-double';
import type { CertificateOrder } from '../../domain/certificate-order';
import { CloudFrontCertificateIssuer } from './cloudfront-certificate-issuer';

const { signal } = new AbortController();
const save = () => Promise.reject(new Error('nothing to save'));

function issuerAt(endpoint: string): CloudFrontCertificateIssuer {
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  return new CloudFrontCertificateIssuer({ distributionId: 'E1', connectionGroupId: 'cg_1', endpoint, credentials });
}

describe('CloudFrontCertificateIssuer', () => {
  let aws: CloudFrontDouble;
  let issuer: CloudFrontCertificateIssuer;
  const advance = (order: CertificateOrder) => issuer.advance(order, { save, signal });
  const tenantOf = ({ claimId }: CertificateOrder) => aws.tenants.get(`homeport-${claimId}`);

  beforeEach(async () => {
    aws = await new CloudFrontDouble().listen();
    issuer = issuerAt(aws.address);
  });
  afterEach(() => aws.close());

  certificateIssuerContract(CloudFrontCertificateIssuer.name, async () => ({
    issuer,
    otherInstance: issuerAt(aws.address),
    unreachable: issuerAt('http://127.0.0.1:1'),
    newOrder: async ({ isWildcard = false } = {}) => orderOf(`${isWildcard ? '*.' : ''}${randomUUID()}.example`),
    passTime: () => {
      aws.validate('issued');
      aws.deploy();
    },
  }));

  it('adds a tenant, waits for its certificate, presents it, and ends when the domain is served', async () => {
    const order = orderOf('www.acme.example');
    expect(await advance(order)).toEqual({ outcome: 'waiting', retryAfterMs: 60_000 });
    expect(tenantOf(order)).toMatchObject({ DistributionId: 'E1', ConnectionGroupId: 'cg_1', Enabled: true });
    expect(await advance(order)).toMatchObject({ outcome: 'waiting' });
    expect(aws.calls.filter((call) => call === 'CreateDistributionTenant')).toHaveLength(1);
    aws.validate('issued');
    expect(await advance(order)).toEqual({ outcome: 'waiting', retryAfterMs: 15_000 });
    expect(tenantOf(order)?.Customizations?.Certificate?.Arn).toMatch(/^arn:aws:acm:us-east-1:/);
    expect(await advance(order)).toMatchObject({ outcome: 'waiting' });
    aws.deploy();
    expect(await advance(order)).toEqual({ outcome: 'managed' });
    expect(aws.calls.filter((call) => call === 'UpdateDistributionTenant')).toHaveLength(1);
  });

  it('changes nothing when CloudFront presents the certificate itself', async () => {
    aws.attachesCertificates = true;
    const order = orderOf('www.acme.example');
    await advance(order);
    aws.validate('issued');
    expect(await advance(order)).toMatchObject({ outcome: 'waiting' });
    aws.deploy();
    expect(await advance(order)).toEqual({ outcome: 'managed' });
    expect(aws.calls).not.toContain('UpdateDistributionTenant');
  });

  it('requests the certificate again when its validation ended', async () => {
    const order = orderOf('www.acme.example');
    await advance(order);
    aws.validate('validation-timed-out');
    const message = 'the validation by AWS ended as validation-timed-out';
    await expect(advance(order)).rejects.toMatchObject({ problem: 'challenge-failed', message });
    expect(await advance(order)).toMatchObject({ outcome: 'waiting', retryAfterMs: 60_000 });
  });

  it('rejects wildcards, and the platform domain', async () => {
    const wildcard = orderOf('*.acme.example');
    for (const order of [wildcard, { ...orderOf('apps.example'), claimId: undefined }]) {
      await expect(advance(order)).rejects.toMatchObject({ problem: 'rejected' });
    }
    expect(aws.calls).toEqual([]);
  });

  it.each([
    [[409, 'CNAMEAlreadyExists'], 'rejected', /another distribution/],
    [[403, 'AccessDenied'], 'rejected', /AccessDenied/],
    [[409, 'EntityAlreadyExists'], 'unavailable', /could not be asked/],
    [[400, 'EntityLimitExceeded'], 'rejected', /EntityLimitExceeded/],
  ] as const)('reports %j of CloudFront', async (fault, problem, message) => {
    aws.faults.push([404, 'EntityNotFound'], fault);
    await expect(advance(orderOf('www.acme.example'))).rejects.toMatchObject({
      problem,
      message: expect.stringMatching(message),
    });
  });

  it.each([[[503, 'ServiceUnavailable']], ['reset']] as const)('survives %j of CloudFront', async (fault) => {
    const order = orderOf('www.acme.example');
    aws.faults.push(...Array<typeof fault>(10).fill(fault));
    await expect(advance(order)).rejects.toMatchObject({ problem: 'unavailable' });
    aws.faults.length = 0;
    expect(await advance(order)).toMatchObject({ outcome: 'waiting' });
  });

  it('continues when another instance changed the tenant meanwhile', async () => {
    const order = orderOf('www.acme.example');
    await advance(order);
    aws.validate('issued');
    const steps = await Promise.allSettled([advance(order), advance(order)]);
    const problems = steps.map((step) =>
      step.status === 'rejected' ? (step.reason as { problem: string }).problem : '',
    );
    expect(['', 'unavailable']).toEqual(expect.arrayContaining(problems));
    expect(await advance(order)).toMatchObject({ outcome: 'waiting' });
  });

  it('disables the tenants of ended claims, and deletes them when they are not served any more', async () => {
    const orders = ['a', 'b', 'c', 'd', 'e'].map((label) => orderOf(`${label}.acme.example`));
    for (const order of orders) await advance(order);
    const [kept, ...ended] = orders.map((order) => String(order.claimId));
    const remove = () => issuer.removeUnused(async (ids) => new Set(ids.filter((id) => id === kept)), signal);
    await remove();
    expect(ended.map((id) => aws.tenants.get(`homeport-${id}`)?.Enabled)).toEqual([false, false, false, false]);
    await remove();
    expect(aws.tenants.size).toBe(5);
    aws.deploy();
    // Pages shift while tenants are deleted.
    while (aws.tenants.size > 1) await remove();
    expect([...aws.tenants.keys()]).toEqual([`homeport-${kept}`]);
  });

  it('names the authorities of AWS for CAA records, and leaves renewals to CloudFront', async () => {
    expect(await issuer.caaIdentities()).toContain('amazon.com');
    expect(await issuer.renewalAdvice()).toBeUndefined();
    expect(issuer.isManaged).toBe(true);
  });
});
