import type { SystemPrograms } from '../system-programs.ts';

/** Examines a TLS server. */
export const TESTSSL: SystemPrograms = {
  title: 'testssl.sh',
  packages: ['testssl.sh', 'curl'],
  programs: ['testssl', 'openssl', 'curl'],
};
