/** Names of the background jobs. Repositories use them to schedule a run. */
export const DNS_JOB = 'apps.dns';
export const DEPLOYS_JOB = 'apps.deploys';
export const CERTIFICATES_JOB = 'apps.certificates';
export const CERTIFICATE_REMOVALS_JOB = 'apps.certificate-removals';
export const DOMAINS_JOB = 'apps.domains';
