import { DeploysBusy } from '../../domain/deploys/deploys.errors';

export interface UploadLimits {
  /** Uploads of which bytes have arrived and more are to come. */
  readonly receiving: number;
  /** Uploads of one organization, from its request to the answer. */
  readonly ofOne: number;
  /** Bytes of archives on the disk. */
  readonly bytes: number;
  /** Of them, those of one organization. */
  readonly bytesOfOne: number;
}

/** What one upload takes up. */
export interface UploadShare {
  /** Counts bytes that arrived. @throws {DeploysBusy} when there is no room for them. */
  hold(bytes: number): void;
  /** All bytes are there: the upload does not count as being received any more. */
  received(): void;
  /** Gives everything back. */
  release(): void;
}

interface Owner {
  uploads: number;
  bytes: number;
}

/**
 * Bounds what an instance receives at once. An upload takes up nothing of what organizations share before its first
 * byte, and disk for no more bytes than arrived: connections that send nothing keep nobody else out.
 */
export class UploadCapacity {
  readonly #owners = new Map<string, Owner>();
  #receiving = 0;
  #bytes = 0;

  constructor(private readonly limits: UploadLimits) {}

  /** @param expected bytes that are announced. @throws {DeploysBusy} when there is no room at this moment. */
  admit(organization: string, expected: number): UploadShare {
    const owner = this.#owners.get(organization) ?? { uploads: 0, bytes: 0 };
    if (owner.uploads >= this.limits.ofOne || this.#receiving >= this.limits.receiving) throw new DeploysBusy();
    this.#demandRoom(owner, expected);
    owner.uploads += 1;
    this.#owners.set(organization, owner);
    return this.#shareOf(organization, owner);
  }

  #shareOf(organization: string, owner: Owner): UploadShare {
    let held = 0;
    let state: 'announced' | 'receiving' | 'received' | 'released' = 'announced';
    const received = () => {
      if (state === 'receiving') this.#receiving -= 1;
      if (state !== 'released') state = 'received';
    };
    const hold = (bytes: number) => {
      if (state === 'announced' && this.#receiving >= this.limits.receiving) throw new DeploysBusy();
      this.#demandRoom(owner, bytes);
      if (state === 'announced') this.#receiving += 1;
      state = 'receiving';
      held += bytes;
      owner.bytes += bytes;
      this.#bytes += bytes;
    };
    const release = () => {
      received();
      if (state === 'released') return;
      state = 'released';
      this.#bytes -= held;
      owner.bytes -= held;
      owner.uploads -= 1;
      if (owner.uploads === 0) this.#owners.delete(organization);
    };
    return { hold, received, release };
  }

  #demandRoom(owner: Owner, bytes: number): void {
    const { bytes: most, bytesOfOne } = this.limits;
    if (this.#bytes + bytes > most || owner.bytes + bytes > bytesOfOne) throw new DeploysBusy();
  }
}
