import { randomUUID } from 'node:crypto';
import { certificateIssuerContract } from '../../../testing/certificate-issuer.contract';
import { certificateOrder } from '../../../testing/certificate-orders';
import { IssuanceFailed } from '../../domain/issuance-failed';
import { InMemoryCertificateIssuer } from './in-memory-certificate-issuer';

certificateIssuerContract(InMemoryCertificateIssuer.name, async () => {
  const now = () => new Date('2026-11-24T12:00:00Z');
  const issuer = new InMemoryCertificateIssuer(now);
  issuer.identities = ['authority.example'];
  const unreachable = new InMemoryCertificateIssuer(now);
  unreachable.failure = new IssuanceFailed('unavailable', 'the authority does not answer');
  const newOrder = async ({ isWildcard = false } = {}) =>
    certificateOrder(`${isWildcard ? '*.' : ''}${randomUUID()}.example`);
  // The authority lies in the issuer, so that instances share it.
  return { issuer, otherInstance: issuer, unreachable, newOrder, passTime: () => undefined };
});
