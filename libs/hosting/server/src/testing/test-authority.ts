import { type KeyObject } from 'node:crypto';
import { generateCertificateKey, signCertificate } from '@homeport/platform/server/certificates';

const DAY_MS = 24 * 3_600_000;

export interface IssuedCertificate {
  readonly names: readonly string[];
  readonly chain: string;
  /** PEM. */
  readonly key: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** A certificate authority for tests, with an intermediate certificate as public ones have. */
export class TestAuthority {
  /** The root certificate that clients trust. */
  readonly root: string;
  readonly #issuer = { commonName: 'Test intermediate', key: generateCertificateKey() };
  readonly #intermediate: string;

  constructor() {
    const root = { commonName: 'Test root', key: generateCertificateKey() };
    this.root = signAuthority(root, root);
    this.#intermediate = signAuthority(this.#issuer, root);
  }

  issue(names: readonly string[], days = 75): IssuedCertificate {
    const key = generateCertificateKey();
    const notBefore = new Date(Date.now() - DAY_MS);
    const notAfter = new Date(Date.now() + days * DAY_MS);
    const leaf = signCertificate({
      commonName: names[0] ?? '',
      names,
      key,
      notBefore,
      notAfter,
      issuer: this.#issuer,
    });
    return { names, chain: leaf + this.#intermediate, key: toPem(key), notBefore, notAfter };
  }
}

function signAuthority(
  authority: { readonly commonName: string; readonly key: KeyObject },
  issuer: { readonly commonName: string; readonly key: KeyObject },
): string {
  return signCertificate({
    ...authority,
    names: [],
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 365 * DAY_MS),
    issuer,
    isAuthority: true,
  });
}

function toPem(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }));
}
