import { randomUUID } from 'node:crypto';
import type { CertificateOrder } from '../certificates/domain/certificate-order';

/** An order of a new claim that is not placed. */
export function certificateOrder(name: string, changes: Partial<CertificateOrder> = {}): CertificateOrder {
  return {
    id: randomUUID(),
    claimId: randomUUID(),
    names: [name],
    challenge: name.startsWith('*.') ? 'dns-01' : 'http-01',
    progress: undefined,
    failures: 0,
    replaces: undefined,
    createdAt: new Date(),
    lease: randomUUID(),
    ...changes,
  };
}
