import type { DnsDriftDetector } from '../../dns/application/dns-drift-detector';
import type { Finding } from '../domain/finding';
import type { BlobComparison, BlobDifference } from './blob-comparison';
import type { RecordedState } from './recorded-state.port';

export interface VerifyConsistencyDependencies {
  readonly comparison: BlobComparison;
  readonly records: RecordedState;
  readonly drift: Pick<DnsDriftDetector, 'compare'>;
}

const RESTORE = 'Restore it from a backup, or run this command with --repair and deploy the app again.';
const DEPLOY_AGAIN = 'Restore its files from a backup and run this command with --repair, or deploy the app again.';

/** Compares the database with the storage, with the zone, and with the configured keys. Changes nothing. */
export class VerifyConsistency {
  constructor(private readonly dependencies: VerifyConsistencyDependencies) {}

  /** @throws {Error} when the database, the storage or the zone is unavailable. */
  async *execute(signal: AbortSignal): AsyncIterable<Finding> {
    yield* this.#verifyDeploys();
    yield* this.#verifyBlobs(signal);
    yield* this.#verifyRecords();
    yield* this.#verifySecrets();
  }

  async *#verifyDeploys(): AsyncIterable<Finding> {
    const { records } = this.dependencies;
    for (const app of await records.findAppsWithoutReadyDeploy()) {
      const problem = 'Its live deploy is not ready.';
      yield { severity: 'fault', subject: `app ${app}`, problem, remedy: 'Activate another deploy of the app.' };
    }
    for await (const { deployId, files } of records.incompleteDeploys()) {
      const problem = `The database knows no stored blob for ${files} of its files.`;
      yield { severity: 'fault', subject: `deploy ${deployId}`, problem, remedy: DEPLOY_AGAIN };
    }
  }

  async *#verifyBlobs(signal: AbortSignal): AsyncIterable<Finding> {
    for await (const difference of this.dependencies.comparison.differences(signal)) {
      yield difference.kind === 'unknown' ? surplusOf(difference.key) : await this.#damageOf(difference);
    }
  }

  async #damageOf({ kind, key, blobId, encoding }: Exclude<BlobDifference, { kind: 'unknown' }>): Promise<Finding> {
    const uses = await this.dependencies.records.findUses([blobId]);
    const what = encoding === 'identity' ? 'It' : `Its variant ${encoding}`;
    const problem =
      kind === 'missing' ? `${what} is not in the storage.` : `${what} has another size in the storage than recorded.`;
    const users = uses.map(({ deployId, path }) => `${path} of deploy ${deployId}`).join(', ');
    const use = users === '' ? 'No deploy uses it now.' : `It is ${users}.`;
    return { severity: 'fault', subject: `blob ${key}`, problem: `${problem} ${use}`, remedy: RESTORE };
  }

  async *#verifyRecords(): AsyncIterable<Finding> {
    const { drifted, orphaned } = await this.dependencies.drift.compare();
    for (const name of drifted) {
      const problem = 'Its DNS record is missing or does not point to the edge.';
      yield { severity: 'fault', subject: `app ${name}`, problem, remedy: '--repair restores the record.' };
    }
    for (const name of orphaned) {
      const problem = 'It points to the edge, and belongs to no app.';
      yield { severity: 'surplus', subject: `DNS record ${name}`, problem, remedy: '--repair removes it.' };
    }
  }

  async *#verifySecrets(): AsyncIterable<Finding> {
    for await (const { kind, name } of this.dependencies.records.unreadableSecrets()) {
      const problem = 'No key of SECRETS_KEYS opens it.';
      const remedy =
        kind === 'variable'
          ? 'Add the key that sealed it to the end of SECRETS_KEYS, or set the variable again.'
          : 'Add the key that sealed it to the end of SECRETS_KEYS. Otherwise it is ordered again before it expires.';
      yield { severity: 'fault', subject: `${kind} ${name}`, problem, remedy };
    }
  }
}

function surplusOf(key: string): Finding {
  const problem = 'The database does not know it.';
  return { severity: 'surplus', subject: `blob ${key}`, problem, remedy: '--repair removes it.' };
}
