import type { PostgresPool } from '@homeport/platform/server/postgres';
import { certificateContext, type SecretBox } from '@homeport/platform/server/secrets';
import {
  type Certificate,
  CertificateDirectory,
  CertificateUnusable,
  type EdgeChallenge,
} from '../../application/certificate-directory.port';

interface CertificateRow {
  readonly id: string;
  readonly serial: string;
  readonly chain: string;
  readonly sealed_key: Buffer;
  readonly hsts: boolean;
}

/** A certificate without a claim is one of the platform. */
const CERTIFICATE = `select c.id, c.serial, c.chain, c.sealed_key, coalesce(d.hsts, false) as hsts
  from apps.certificates c left join apps.domain_claims d on d.id = c.claim_id
  where c.names && array[$1, $2]
    and (c.claim_id is null or d.verified_at is not null and d.suspended_at is null and d.released_at is null)
  order by c.not_after > now() desc, $1 = any (c.names) desc, c.not_after desc, c.id limit 1`;

const KEY_AUTHORIZATION = `select value from apps.challenge_answers
  where name = $1 and type = $2 and token = $3 and expires_at > now() order by expires_at desc limit 1`;

/** The certificates in PostgreSQL. */
export class PostgresCertificateDirectory extends CertificateDirectory {
  constructor(
    private readonly pool: Pick<PostgresPool, 'query'>,
    private readonly keys: SecretBox,
  ) {
    super();
  }

  async findCertificate(hostname: string): Promise<Certificate | undefined> {
    const wildcard = `*.${hostname.slice(hostname.indexOf('.') + 1)}`;
    const [row] = await this.pool.query<CertificateRow>(CERTIFICATE, [hostname, wildcard]);
    if (!row) return undefined;
    const { id, serial, chain, hsts } = row;
    return { version: `${id} ${serial}`, chain, key: this.#open(row), hsts };
  }

  async findKeyAuthorization(challenge: EdgeChallenge): Promise<string | undefined> {
    const token = challenge.type === 'http-01' ? challenge.token : '';
    const [row] = await this.pool.query<{ value: string }>(KEY_AUTHORIZATION, [challenge.name, challenge.type, token]);
    return row?.value;
  }

  #open({ id, sealed_key: sealedKey }: CertificateRow): string {
    try {
      return this.keys.open(sealedKey, certificateContext(id));
    } catch (cause) {
      throw new CertificateUnusable(`the key of the certificate ${id} cannot be opened`, { cause });
    }
  }
}
