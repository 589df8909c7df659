import { BlobStorageUnavailable } from '../../domain/deploys.errors';

/** Well below the connections to storage (512): what is loaded into memory always finds one. */
const MOST = 384;
/** Behind a distribution all visitors come from a few addresses, so it is apps that are kept from taking all. */
const MOST_OF_ONE_APP = MOST / 4;

/** Who may have a file from storage at the moment: each visitor holds a connection for as long as reading takes. */
export class StreamPlaces {
  readonly #taken = new Map<string, number>();
  #all = 0;

  /** @returns what gives the place back, once. @throws {BlobStorageUnavailable} when all are taken. */
  take(appId: string): () => void {
    const own = this.#taken.get(appId) ?? 0;
    if (this.#all >= MOST || own >= MOST_OF_ONE_APP) {
      throw new BlobStorageUnavailable({
        cause: new Error(`App ${appId} has ${own} files under way, all ${this.#all}.`),
      });
    }
    this.#all += 1;
    this.#taken.set(appId, own + 1);
    return () => this.#leave(appId);
  }

  #leave(appId: string): void {
    const left = (this.#taken.get(appId) ?? 0) - 1;
    this.#all -= 1;
    if (left > 0) this.#taken.set(appId, left);
    else this.#taken.delete(appId);
  }
}
