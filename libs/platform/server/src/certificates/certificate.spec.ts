import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { generateCertificateKey, signCertificate } from './certificate';
import { objectIdentifier, octetString, time } from './der';

const VALID = { notBefore: new Date('2026-11-24T00:00:00Z'), notAfter: new Date('2027-02-22T12:34:56Z') };
const authorityKey = generateCertificateKey();
const issuer = { commonName: 'Test authority', key: authorityKey };
const root = new X509Certificate(
  signCertificate({ ...VALID, commonName: issuer.commonName, names: [], key: authorityKey, issuer, isAuthority: true }),
);

describe('signCertificate', () => {
  const key = generateCertificateKey();
  const names = ['www.example.com', '*.apps.example.com'];
  const pem = signCertificate({ ...VALID, commonName: 'www.example.com', names, key, issuer });
  const certificate = new X509Certificate(pem);

  it('signs a certificate that its authority issued, for the key and the names', () => {
    expect(certificate.checkIssued(root)).toBe(true);
    expect(certificate.verify(root.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(key)).toBe(true);
    expect(certificate.subjectAltName).toBe('DNS:www.example.com, DNS:*.apps.example.com');
    expect(certificate.checkHost('shop.apps.example.com')).toBeDefined();
    expect(certificate.checkHost('example.com')).toBeUndefined();
    expect([certificate.ca, root.ca]).toEqual([false, true]);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('states when the certificate is valid', () => {
    expect(certificate.validFromDate).toEqual(VALID.notBefore);
    expect(certificate.validToDate).toEqual(VALID.notAfter);
    expect(time(new Date('2050-01-01T00:00:00Z')).toString('latin1')).toBe('\x18\x0f20500101000000Z');
  });

  it('gives each certificate another serial number of 16 bytes', () => {
    const other = new X509Certificate(signCertificate({ ...VALID, commonName: 'a', names, key, issuer }));
    expect(other.serialNumber).not.toBe(certificate.serialNumber);
    expect(certificate.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
  });

  it('adds extensions', () => {
    const extension = { id: '1.3.6.1.5.5.7.1.31', isCritical: true, value: octetString(Buffer.alloc(32, 7)) };
    const { raw } = new X509Certificate(
      signCertificate({ ...VALID, commonName: 'a', names, key, issuer, extensions: [extension] }),
    );
    expect(raw.includes(Buffer.concat([objectIdentifier(extension.id), Buffer.from([1, 1, 0xff])]))).toBe(true);
    expect(raw.includes(Buffer.alloc(32, 7))).toBe(true);
  });
});
