import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bitString, der, objectIdentifier, octetString, sequence, set, time, TRUE, unsigned, utf8String } from './der';

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const KEY_USAGE_SIGNATURE = Buffer.from([0x03, 0x02, 0x07, 0x80]);
const KEY_USAGE_CERTIFICATES = Buffer.from([0x03, 0x02, 0x01, 0x06]);
const SERVER_AUTHENTICATION = sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'));
const SERIAL_BYTES = 16;

/** An authority that signs certificates. */
export interface CertificateAuthority {
  readonly commonName: string;
  /** A private key on the curve P-256. */
  readonly key: KeyObject;
}

export interface CertificateExtension {
  readonly id: string;
  readonly isCritical?: boolean;
  /** In DER. */
  readonly value: Buffer;
}

export interface CertificateRequest {
  readonly commonName: string;
  /** Host names, also of the form `*.example.com`; empty for an authority. */
  readonly names: readonly string[];
  /** The public key, or the private one that it belongs to. */
  readonly key: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly issuer: CertificateAuthority;
  /** Whether the certificate is one of an authority. */
  readonly isAuthority?: boolean;
  readonly extensions?: readonly CertificateExtension[];
}

/** Generates a private key on the curve P-256. */
export function generateCertificateKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

/**
 * Signs an X.509 certificate (RFC 5280) for challenges and for the authority of a development machine. Certificates for
 * visitors come from certificate authorities.
 * @returns PEM.
 */
export function signCertificate(request: CertificateRequest): string {
  const { commonName, key, notBefore, notAfter, issuer } = request;
  const publicKey = key.type === 'public' ? key : createPublicKey(key);
  const serial = randomBytes(SERIAL_BYTES);
  // Positive, and without leading zeros.
  serial[0] = ((serial[0] as number) & 0x3f) | 0x40;
  const certificate = sequence(
    der(0xa0, unsigned(Buffer.from([2]))),
    unsigned(serial),
    ECDSA_WITH_SHA256,
    nameOf(issuer.commonName),
    sequence(time(notBefore), time(notAfter)),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensionsOf(request, publicKey))),
  );
  const signature = sign('sha256', certificate, issuer.key);
  return toPem(sequence(certificate, ECDSA_WITH_SHA256, bitString(signature)));
}

function extensionsOf(
  { names, issuer, isAuthority = false, extensions = [] }: CertificateRequest,
  publicKey: KeyObject,
): Buffer[] {
  const usual: CertificateExtension[] = [
    { id: '2.5.29.19', isCritical: true, value: isAuthority ? sequence(TRUE) : sequence() },
    { id: '2.5.29.15', isCritical: true, value: isAuthority ? KEY_USAGE_CERTIFICATES : KEY_USAGE_SIGNATURE },
    { id: '2.5.29.14', value: octetString(keyIdOf(publicKey)) },
    { id: '2.5.29.35', value: sequence(der(0x80, keyIdOf(createPublicKey(issuer.key)))) },
  ];
  if (!isAuthority) usual.push({ id: '2.5.29.37', value: SERVER_AUTHENTICATION });
  const alternativeNames = names.map((name) => der(0x82, Buffer.from(name, 'latin1')));
  if (names.length > 0) usual.push({ id: '2.5.29.17', value: sequence(...alternativeNames) });
  return [...usual, ...extensions].map(({ id, isCritical, value }) =>
    sequence(objectIdentifier(id), ...(isCritical ? [TRUE] : []), octetString(value)),
  );
}

function keyIdOf(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))));
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
