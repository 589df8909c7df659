import { CodedFailure, type OutageLog } from '@homeport/platform/server';
import { BlobStorageUnavailable } from '../../domain/blobs/blobs.errors';
import { FairPlaces } from '../fair-places';

/** Well below the connections to storage (512): what is loaded into memory always finds one. */
const MOST = 384;
/** Behind a distribution all visitors come from a few addresses, so it is apps that are kept from taking all. */
const MOST_OF_ONE_APP = MOST / 4;
const OPERATION = 'stream';

/** Who may have a file from storage at the moment: each visitor holds a connection for as long as reading takes. */
export class StreamPlaces {
  readonly #places = new FairPlaces(MOST, MOST_OF_ONE_APP);

  /** @param outages told when requests are rejected because all places are taken. */
  constructor(private readonly outages?: OutageLog) {}

  /** @returns what gives the place back, once. @throws {BlobStorageUnavailable} when all are taken. */
  take(appId: string): () => void {
    const giveBack = this.#places.take(appId);
    if (giveBack) {
      this.outages?.succeeded(OPERATION);
      return giveBack;
    }
    const text = `Too many files of app ${appId}, or of all, are under way.`;
    const error = new BlobStorageUnavailable({ cause: new CodedFailure('TOO_MANY_STREAMS', text) });
    this.outages?.failed(error, OPERATION);
    throw error;
  }
}
