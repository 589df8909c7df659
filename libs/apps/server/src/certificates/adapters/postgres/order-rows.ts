import { certificateContext, type SecretBox } from '@homeport/platform/server/secrets';
import type { CertificateOrder, ChallengeType } from '../../domain/certificate-order';

/** A row of `apps.certificate_orders` with the certificate that it replaces. */
export interface OrderRow {
  readonly id: string;
  readonly claim_id: string | null;
  readonly names: string[];
  readonly challenge: ChallengeType;
  readonly directory: string | null;
  readonly url: string | null;
  readonly sealed_key: Buffer | null;
  readonly failures: number;
  readonly created_at: Date;
  readonly lease: string;
  readonly chain: string | null;
  readonly chain_directory: string | null;
  readonly not_after: Date | null;
}

export function toOrder(row: OrderRow, box: SecretBox): CertificateOrder {
  const { id, names, challenge, directory, url, failures, lease } = row;
  const privateKey = row.sealed_key ? box.open(row.sealed_key, certificateContext(id)) : '';
  return {
    ...{ id, names, challenge, failures, lease },
    claimId: row.claim_id ?? undefined,
    progress: directory !== null && url !== null ? { directory, url, privateKey } : undefined,
    replaces: row.chain === null ? undefined : { chain: row.chain, directory: row.chain_directory ?? undefined },
    createdAt: row.created_at,
  };
}
