import type { SystemPrograms } from '../system-programs.ts';

/** Makes Chromium trust a root certificate. */
export const CERTUTIL: SystemPrograms = { title: 'certutil', packages: ['libnss3-tools'], programs: ['certutil'] };
