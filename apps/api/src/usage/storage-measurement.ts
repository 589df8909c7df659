import type { ObjectStore } from '@homeport/files/server';
import { auditedPeople } from '@homeport/organizations/server';
import type { Database } from '@homeport/platform/server/database';
import type { Query } from '@homeport/platform/server/postgres';
import { MeasureStorage, type StorageLedger } from '@homeport/usage/server';
import type { Logger } from 'pino';
import { AuditedOwners } from './audited-owners';
import { WorkspaceListing } from './workspace-listing';

export interface StorageMeasurementOptions {
  readonly database: Database;
  readonly objectStore: ObjectStore;
  /** Receives what the inventory corrects, and how many workspaces it cannot measure. */
  readonly log: Pick<Logger, 'warn'>;
}

/** The measurement of the workspaces in the object storage. */
export function storageMeasurement(
  ledger: StorageLedger,
  { database, objectStore, log }: StorageMeasurementOptions,
): MeasureStorage {
  return new MeasureStorage({
    ledger,
    workspaces: new WorkspaceListing(objectStore),
    owners: new AuditedOwners(() => auditedPeople(queryOn(database))),
    onDrift: ({ workspace, recorded, found }) =>
      log.warn({ workspace, recorded: String(recorded), found: String(found) }, 'the storage ledger was corrected'),
    onUnowned: (workspaces) => {
      if (workspaces > 0) log.warn({ workspaces }, 'workspaces of unknown people are not measured');
    },
  });
}

export function queryOn(database: Database): Query {
  return (text, values = []) => database.run((manager) => manager.query(text, values));
}
