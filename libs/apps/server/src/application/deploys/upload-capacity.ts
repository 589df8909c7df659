import { DeploysUnavailable } from '../../domain/deploys/deploys.errors';

export interface UploadLimits {
  /** Uploads of which bytes have arrived and more are to come. */
  readonly receiving: number;
  /** Uploads of one organization, from its request to the answer. */
  readonly uploadsPerOrganization: number;
  /** Bytes of archives on the disk. */
  readonly bytes: number;
  /** Bytes of one organization: those on the disk and those that its started uploads have announced. */
  readonly bytesPerOrganization: number;
}

/** What one upload takes up. */
export interface UploadReservation {
  /** Counts bytes that arrived. @throws {DeploysUnavailable} when there is no room for them. */
  addReceived(bytes: number): void;
  /** All bytes are there: the upload does not count as being received any more. */
  received(): void;
  /** Gives everything back. */
  release(): void;
}

interface OrganizationUsage {
  uploads: number;
  /** Arrived or announced. */
  reserved: number;
}

/**
 * Bounds what an instance receives at once. An upload takes up nothing of what organizations share before its first
 * byte, and disk for no more bytes than arrived: connections that send nothing keep nobody else out. Announced bytes are
 * reserved from the first byte on, in the share of the organization alone: its later uploads are rejected at their start.
 */
export class UploadCapacity {
  readonly #owners = new Map<string, OrganizationUsage>();
  #receiving = 0;
  #bytes = 0;

  constructor(private readonly limits: UploadLimits) {}

  /** @param expected bytes that are announced. @throws {DeploysUnavailable} when there is no room at this moment. */
  admit(organization: string, expected: number): UploadReservation {
    const owner = this.#owners.get(organization) ?? { uploads: 0, reserved: 0 };
    if (owner.uploads >= this.limits.uploadsPerOrganization || this.#receiving >= this.limits.receiving)
      throw new DeploysUnavailable();
    this.#demandRoom(owner, expected, expected);
    owner.uploads += 1;
    this.#owners.set(organization, owner);
    return this.#shareOf(organization, owner, expected);
  }

  #shareOf(organization: string, owner: OrganizationUsage, expected: number): UploadReservation {
    let held = 0;
    let reserved = 0;
    let state: 'announced' | 'receiving' | 'received' | 'released' = 'announced';
    const reserve = (bytes: number) => {
      owner.reserved += bytes - reserved;
      reserved = bytes;
    };
    const received = () => {
      if (state === 'receiving') this.#receiving -= 1;
      if (state === 'released') return;
      state = 'received';
      reserve(held);
    };
    const addReceived = (bytes: number) => {
      if (state === 'announced' && this.#receiving >= this.limits.receiving) throw new DeploysUnavailable();
      const needed = Math.max(state === 'announced' ? expected : reserved, held + bytes);
      this.#demandRoom(owner, bytes, needed - reserved);
      if (state === 'announced') this.#receiving += 1;
      state = 'receiving';
      held += bytes;
      this.#bytes += bytes;
      reserve(needed);
    };
    const release = () => {
      received();
      if (state === 'released') return;
      state = 'released';
      this.#bytes -= held;
      reserve(0);
      owner.uploads -= 1;
      if (owner.uploads === 0) this.#owners.delete(organization);
    };
    return { addReceived, received, release };
  }

  /** @param bytes on the disk. @param ofOwner bytes in the share of the organization. */
  #demandRoom(owner: OrganizationUsage, bytes: number, ofOwner: number): void {
    const { bytes: most, bytesPerOrganization } = this.limits;
    if (this.#bytes + bytes > most || owner.reserved + ofOwner > bytesPerOrganization) throw new DeploysUnavailable();
  }
}
