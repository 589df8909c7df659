import 'reflect-metadata';
import { createPrivateKey, generateKeyPairSync, randomBytes, type webcrypto } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { z } from 'zod';
import { writeDurably } from '../durable-file.ts';
import { loadOrCreate } from '../private-file.ts';

const DAY_MS = 86_400_000;
const ROOT_DAYS = 3_650;
const DAYS = 90;
/** Clocks of other machines may be behind. */
const BEFORE_MS = 3_600_000;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const rootFile = z.object({ privateKey: z.string(), certificate: z.string() });

/** A signing request that does not fit its order. */
export class BadSigningRequest extends Error {}

/** The certificate authority of one machine, for development. Its key stays in the data folder. */
export class DevelopmentAuthority {
  /** The file with the root certificate in PEM, for browsers to trust. */
  readonly certificateFile: string;
  readonly #root: X509Certificate;
  readonly #key: webcrypto.CryptoKey;
  readonly #days: number;

  private constructor(certificateFile: string, root: X509Certificate, key: webcrypto.CryptoKey, days: number) {
    this.certificateFile = certificateFile;
    this.#root = root;
    this.#key = key;
    this.#days = days;
  }

  /** Creates the root at the first start. @param days how long certificates are valid. */
  static async open(folder: string, days = DAYS): Promise<DevelopmentAuthority> {
    const { privateKey, certificate } = await loadOrCreate(join(folder, 'root-key.json'), rootFile, createRoot);
    const certificateFile = join(folder, 'root.pem');
    await writeDurably(certificateFile, certificate, 0o644);
    const key = createPrivateKey(privateKey).toCryptoKey(ALGORITHM, false, ['sign']);
    return new DevelopmentAuthority(certificateFile, new X509Certificate(certificate), key, days);
  }

  /**
   * Signs a certificate.
   * @param request in DER. @param names those of the order. @returns the chain in PEM.
   * @throws {BadSigningRequest}
   */
  async sign(request: Buffer, names: readonly string[]): Promise<string> {
    const { publicKey } = await checkedRequest(request, names);
    const certificate = await X509CertificateGenerator.create({
      serialNumber: newSerial(),
      issuer: this.#root.subjectName,
      publicKey,
      signingKey: this.#key,
      signingAlgorithm: ALGORITHM,
      ...validity(this.#days),
      extensions: [
        new SubjectAlternativeNameExtension(
          names.map((value) => ({ type: 'dns' as const, value })),
          // Critical, because there is no subject (RFC 5280, section 4.2.1.6).
          true,
        ),
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        await SubjectKeyIdentifierExtension.create(publicKey),
        await AuthorityKeyIdentifierExtension.create(this.#root.publicKey),
      ],
    });
    return `${certificate.toString('pem')}\n`;
  }
}

async function checkedRequest(request: Buffer, names: readonly string[]): Promise<Pkcs10CertificateRequest> {
  let parsed: Pkcs10CertificateRequest;
  try {
    parsed = new Pkcs10CertificateRequest(request);
  } catch {
    throw new BadSigningRequest('This is not a signing request.');
  }
  if (!(await parsed.verify().catch(() => false)))
    throw new BadSigningRequest('The signature of the request is wrong.');
  const alternatives = parsed.extensions.find((each) => each instanceof SubjectAlternativeNameExtension);
  const wanted = alternatives?.names.items.map(({ value }) => value) ?? [];
  if (wanted.toSorted().join() !== names.toSorted().join())
    throw new BadSigningRequest('The request has other names than the order.');
  return parsed;
}

async function createRoot(): Promise<z.infer<typeof rootFile>> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = {
    privateKey: privateKey.toCryptoKey(ALGORITHM, false, ['sign']),
    publicKey: publicKey.toCryptoKey(ALGORITHM, true, ['verify']),
  };
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: [{ O: ['Homeport development'] }, { CN: [`Homeport on ${hostname()}`] }],
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity(ROOT_DAYS),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return { privateKey: String(pem), certificate: `${certificate.toString('pem')}\n` };
}

function validity(days: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - BEFORE_MS), notAfter: new Date(now + days * DAY_MS) };
}

/** Positive, and without leading zeros. */
function newSerial(): string {
  const serial = randomBytes(16);
  serial[0] = (serial.readUInt8(0) & 0x3f) | 0x40;
  return serial.toString('hex');
}
