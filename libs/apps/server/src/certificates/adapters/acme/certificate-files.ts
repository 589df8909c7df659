import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { IssuedCertificate } from '../../domain/certificate-order';

/** Loads the library for the first certificate: it would take 0.2 s of processor time of each start. */
async function x509() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** @returns a new private key in PEM. */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** A certificate signing request in DER, as base64url (RFC 8555, section 7.4). @param pem the private key. */
export async function signingRequest(names: readonly string[], pem: string): Promise<string> {
  const { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } = await x509();
  const key = createPrivateKey(pem);
  const keys = {
    privateKey: key.toCryptoKey(ALGORITHM, true, ['sign']),
    publicKey: createPublicKey(key).toCryptoKey(ALGORITHM, true, ['verify']),
  };
  const alternatives = new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })));
  const request = await Pkcs10CertificateRequestGenerator.create({
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [alternatives],
  });
  return Buffer.from(request.rawData).toString('base64url');
}

/** @returns what a chain in PEM says of its first certificate. @throws {Error} for anything else. */
export function readChain(chain: string): Pick<IssuedCertificate, 'chain' | 'notBefore' | 'notAfter' | 'serial'> {
  const certificate = new X509Certificate(chain);
  return {
    chain,
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
    serial: certificate.serialNumber.toLowerCase(),
  };
}

/**
 * The id by which the authority knows a certificate for its renewal (RFC 9773, section 4.1).
 * @returns undefined for a certificate that does not name the key of its authority.
 */
export async function renewalIdOf(chain: string): Promise<string | undefined> {
  const { AuthorityKeyIdentifierExtension, X509Certificate: ParsedCertificate } = await x509();
  const certificate = new ParsedCertificate(new X509Certificate(chain).raw);
  const keyId = certificate.getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  if (keyId === undefined) return undefined;
  const serial = Buffer.from(certificate.serialNumber, 'hex');
  // DER: a positive number begins with a bit that is 0.
  const number = (serial[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), serial]) : serial;
  return `${Buffer.from(keyId, 'hex').toString('base64url')}.${number.toString('base64url')}`;
}
