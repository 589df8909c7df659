/** The work that no request waits for, under the names by which stores call for it when some of it comes due. */
export const DNS_JOB = 'apps.dns';
export const DEPLOYS_JOB = 'apps.deploys';
