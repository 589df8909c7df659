import { randomUUID, X509Certificate } from 'node:crypto';
import { certificateContext, SecretBox } from '@homeport/platform/server/secrets';
import type { IssuedCertificate } from './test-authority';

/** Seals the keys of seeded certificates; edges in tests open them. */
export const TEST_SECRETS_KEY = { id: 'test', key: Buffer.alloc(32, 7) };

type Query = (sql: string, values: readonly unknown[]) => Promise<unknown>;

export interface SeededCertificate {
  /** The claim that it was ordered for; absent for certificates of the platform. */
  readonly claimId?: string;
  /** Seals the private key. */
  readonly keys?: SecretBox;
}

/** Writes certificates and answers to challenges directly into PostgreSQL, as the API does. */
export class CertificateSeeder {
  constructor(private readonly query: Query) {}

  /** @returns the id of the certificate. */
  async add(
    { names, chain, key, notBefore, notAfter }: IssuedCertificate,
    { claimId, keys = new SecretBox([TEST_SECRETS_KEY]) }: SeededCertificate = {},
  ): Promise<string> {
    const id = randomUUID();
    const sealed = keys.seal(key, certificateContext(id));
    const { serialNumber } = new X509Certificate(chain);
    await this.query(
      `insert into apps.certificates (id, claim_id, names, chain, sealed_key, not_before, not_after, renew_at, serial)
       values ($1, $2, $3, $4, $5, $6, $7, $7, $8)`,
      [id, claimId ?? null, names, chain, sealed, notBefore, notAfter, serialNumber],
    );
    return id;
  }

  /** Stores a certificate again, like a renewal. */
  async replace(id: string, { chain, key, notAfter }: IssuedCertificate): Promise<void> {
    const sealed = new SecretBox([TEST_SECRETS_KEY]).seal(key, certificateContext(id));
    await this.query(
      'update apps.certificates set chain = $2, sealed_key = $3, not_after = $4, serial = $5 where id = $1',
      [id, chain, sealed, notAfter, new X509Certificate(chain).serialNumber],
    );
  }

  async remove(id: string): Promise<void> {
    await this.query('delete from apps.certificates where id = $1', [id]);
  }

  async challenge(
    answer: {
      readonly name: string;
      readonly type: 'http-01' | 'tls-alpn-01';
      readonly token?: string;
      readonly value: string;
    },
    expiresIn = '10 minutes',
  ): Promise<void> {
    await this.query(
      `insert into apps.challenge_answers (name, type, token, value, expires_at)
       values ($1, $2, $3, $4, now() + $5::interval)`,
      [answer.name, answer.type, answer.token ?? '', answer.value, expiresIn],
    );
  }
}
