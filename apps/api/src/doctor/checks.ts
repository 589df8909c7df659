import type { Environment } from '@homeport/platform/server/config';
import type { Config } from '../config';
import { certificateChecks } from './certificate-checks';
import type { Check } from './check';
import { databaseChecks } from './database-checks';
import { dnsChecks } from './dns-checks';
import { identityChecks } from './identity-checks';
import { keyChecks } from './key-checks';
import { machineChecks } from './machine-checks';
import { noticeChecks } from './notice-checks';
import { productChecks } from './product-checks';
import { storageChecks } from './storage-checks';
import { temporaryFolderCheck } from './temporary-folder-check';
import { traceChecks } from './trace-checks';

/** The checks of a configuration, in the order in which they are printed. */
export function checksOf(config: Config, env: Environment): readonly Check[] {
  return [
    ...databaseChecks(config),
    ...keyChecks(config),
    ...storageChecks(config),
    ...dnsChecks(config),
    ...certificateChecks(config),
    ...identityChecks(config),
    ...noticeChecks(config),
    ...traceChecks(config, env),
    ...machineChecks(config),
    temporaryFolderCheck(config),
    ...productChecks(config, env),
  ];
}
