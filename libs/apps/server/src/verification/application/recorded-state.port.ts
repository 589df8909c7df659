import type { BlobKey, Encoding } from '@homeport/platform/server/blobs';

/** A stored blob, as the database records it. */
export interface RecordedBlob {
  readonly id: string;
  readonly key: BlobKey;
  /** Bytes of each stored encoding. */
  readonly sizes: ReadonlyMap<Encoding, number>;
}

/** `stored`, or `lost`: a repair has given it up, and a deploy still uses it. */
export type RecordedBlobState = 'stored' | 'lost';

/** A file of a deploy that people can visit. */
export interface BlobUse {
  readonly blobId: string;
  readonly deployId: string;
  readonly path: string;
}

export interface IncompleteDeploy {
  readonly deployId: string;
  /** Number of files whose blob the database does not know. */
  readonly files: number;
}

export interface UnreadableSecret {
  readonly kind: 'variable' | 'certificate';
  /** The app and the name of the variable, or the names of the certificate. */
  readonly name: string;
}

/** What the database says about the storage and about itself. Every method can reject with DatabaseUnavailable. */
export abstract class RecordedState {
  /** The organizations with blobs in this state. */
  abstract organizations(state: RecordedBlobState): AsyncIterable<string>;

  /** The blobs of an organization in this state, ordered by key. */
  abstract blobs(organization: string, state: RecordedBlobState): AsyncIterable<RecordedBlob>;

  /** @returns those of the blobs that are recorded in any state. */
  abstract filterKnown(blobIds: readonly string[]): Promise<ReadonlySet<string>>;

  /** @returns those of the blobs that are recorded as stored. */
  abstract filterStored(blobIds: readonly string[]): Promise<ReadonlySet<string>>;

  /** @returns a few files for each blob. */
  abstract findUses(blobIds: readonly string[]): Promise<readonly BlobUse[]>;

  /** Records that blobs are not stored any more, so that the next deploy with their content uploads it. */
  abstract markMissing(blobIds: readonly string[]): Promise<void>;

  /** Records that lost blobs are in the storage again. */
  abstract markFound(blobIds: readonly string[]): Promise<void>;

  /** Ready deploys with files without a stored blob. */
  abstract incompleteDeploys(): AsyncIterable<IncompleteDeploy>;

  /** @returns subdomains of apps whose live deploy is not ready. */
  abstract findAppsWithoutReadyDeploy(): Promise<readonly string[]>;

  /** Sealed values that no configured key opens. */
  abstract unreadableSecrets(): AsyncIterable<UnreadableSecret>;
}
