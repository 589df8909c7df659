export { generateCertificateKey, signCertificate } from './certificate';
export type { CertificateAuthority, CertificateExtension, CertificateRequest } from './certificate';
export { octetString } from './der';
