import {
  BlobComparison,
  DnsDriftDetector,
  type Finding,
  PostgresDnsLedger,
  PostgresRecordedState,
  RepairConsistency,
  type RepairReport,
  VerifyConsistency,
} from '@homeport/apps/server';
import { createDatabase, type Database } from '@homeport/platform/server/database';
import { JobQueue } from '@homeport/platform/server/jobs';
import { SecretBox } from '@homeport/platform/server/secrets';
import { S3BlobInventory, S3BlobStore } from '@homeport/platform/server/storage';
import { s3OptionsOf } from '@homeport/platform/server/config';
import { dnsZonesFor, hostnamePolicy } from '../apps-options';
import type { Config } from '../config';
import { databaseOptions } from '../database-options';

export interface Verification {
  readonly config: Config;
  readonly repairs: boolean;
  readonly print: (line: string) => void;
}

const POOL_SIZE = 2;
/** An hour for the storage; S3 lists about five million objects in that time. */
const LIMIT_MS = 60 * 60_000;

/**
 * Prints each finding, and repairs before that when asked to.
 * @returns whether there is no fault.
 * @throws {Error} when a dependency is unavailable.
 */
export async function verify({ config, repairs, print }: Verification): Promise<boolean> {
  const database = await createDatabase({ ...databaseOptions(config), poolSize: POOL_SIZE }).open();
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const { consistency, repair } = useCases(config, database);
    if (repairs) for (const line of describeRepair(await repair.execute(signal))) print(line);
    const counts = { fault: 0, surplus: 0 };
    for await (const finding of consistency.execute(signal)) {
      counts[finding.severity] += 1;
      print(describeFinding(finding));
    }
    print(summaryOf(counts));
    return counts.fault === 0;
  } finally {
    await database.close();
  }
}

function useCases(config: Config, database: Database) {
  const s3 = s3OptionsOf(config);
  const blobs = new S3BlobStore(s3);
  const box = config.SECRETS_KEYS && new SecretBox(config.SECRETS_KEYS);
  const records = new PostgresRecordedState(database, box);
  const comparison = new BlobComparison({ records, blobs, inventory: new S3BlobInventory(s3) });
  // The queue is not started: the API reconciles records every minute.
  const ledger = new PostgresDnsLedger(database, new JobQueue({ database: database.source }));
  const { dnsZone: zone } = dnsZonesFor(config);
  const drift = new DnsDriftDetector({ ledger, zone, hostnames: hostnamePolicy(config) });
  return {
    consistency: new VerifyConsistency({ comparison, records, drift }),
    repair: new RepairConsistency({ comparison, records, blobs, drift }),
  };
}

function describeFinding({ severity, subject, problem, remedy }: Finding): string {
  return `${severity}: ${subject}. ${problem} ${remedy}`;
}

function describeRepair(report: RepairReport): string[] {
  const lines = [
    `Repaired: ${report.restoredRecords} DNS records to restore, ${report.removedRecords} to remove within a minute, ` +
      `${report.missingBlobs} lost blobs marked, ${report.removedBlobs} unknown blobs removed.`,
  ];
  if (report.foundBlobs > 0) lines.push(`Found ${report.foundBlobs} lost blobs in the storage again.`);
  if (report.keptRecords > 0) lines.push(`Kept ${report.keptRecords} DNS records of no app: ${TOO_MANY}`);
  if (report.keptBlobs > 0) lines.push(`Kept ${report.keptBlobs} unknown blobs: ${TOO_MANY_BLOBS}`);
  return lines;
}

const TOO_MANY = 'there are so many that the database may be the wrong one.';
const TOO_MANY_BLOBS = 'there are so many that DATABASE_URL or S3_BUCKET may be the wrong one.';

function summaryOf({ fault, surplus }: Readonly<Record<Finding['severity'], number>>): string {
  if (fault + surplus === 0) return 'Nothing is wrong.';
  const faults = fault === 0 ? 'No fault' : `${fault} fault${fault === 1 ? '' : 's'}`;
  return surplus === 0 ? `${faults}.` : `${faults}, ${surplus} surplus. --repair removes what is surplus.`;
}
