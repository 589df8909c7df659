import { DeploysUnavailable } from '../domain/deploys.errors';

export interface UploadLimits {
  /** Uploads of which some bytes have arrived, but not all. */
  readonly receiving: number;
  /** Uploads of one organization, from the request to the response. */
  readonly uploadsPerOrganization: number;
  /** Bytes of archives on the disk. */
  readonly bytes: number;
  /** Bytes of one organization: those on the disk, and those that its started uploads have announced. */
  readonly bytesPerOrganization: number;
}

/** The capacity that one upload uses. */
export interface UploadReservation {
  /** Counts received bytes. @throws {DeploysUnavailable} when the limits are exceeded. */
  addReceived(bytes: number): void;
  /** Marks the upload as complete, so that it no longer counts as being received. */
  received(): void;
  /** Releases all capacity. */
  release(): void;
}

interface OrganizationUsage {
  uploads: number;
  /** Bytes that have arrived or are announced. */
  reserved: number;
}

/**
 * Limits the uploads that an instance receives at once. Before its first byte, an upload uses no capacity that
 * organizations share, and afterwards only disk space for the bytes that have arrived. Idle connections therefore do
 * not block other organizations. Announced bytes are reserved from the first byte on, but only in the organization's
 * own share, so that its later uploads are rejected at their start.
 */
export class UploadCapacity {
  readonly #owners = new Map<string, OrganizationUsage>();
  #receiving = 0;
  #bytes = 0;

  constructor(private readonly limits: UploadLimits) {}

  /** Admits an upload. @param expected announced bytes. @throws {DeploysUnavailable} when the capacity is used up. */
  admit(organization: string, expected: number): UploadReservation {
    const owner = this.#owners.get(organization) ?? { uploads: 0, reserved: 0 };
    if (owner.uploads >= this.limits.uploadsPerOrganization || this.#receiving >= this.limits.receiving)
      throw new DeploysUnavailable();
    this.#assertCapacity(owner, expected, expected);
    owner.uploads += 1;
    this.#owners.set(organization, owner);
    return this.#reservationFor(organization, owner, expected);
  }

  #reservationFor(organization: string, owner: OrganizationUsage, expected: number): UploadReservation {
    let arrived = 0;
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
      reserve(arrived);
    };
    const addReceived = (bytes: number) => {
      if (state === 'announced' && this.#receiving >= this.limits.receiving) throw new DeploysUnavailable();
      const needed = Math.max(state === 'announced' ? expected : reserved, arrived + bytes);
      this.#assertCapacity(owner, bytes, needed - reserved);
      if (state === 'announced') this.#receiving += 1;
      state = 'receiving';
      arrived += bytes;
      this.#bytes += bytes;
      reserve(needed);
    };
    const release = () => {
      received();
      if (state === 'released') return;
      state = 'released';
      this.#bytes -= arrived;
      reserve(0);
      owner.uploads -= 1;
      if (owner.uploads === 0) this.#owners.delete(organization);
    };
    return { addReceived, received, release };
  }

  /** @param bytes additional bytes on the disk. @param ofOwner additional bytes in the share of the organization. */
  #assertCapacity(owner: OrganizationUsage, bytes: number, ofOwner: number): void {
    const { bytes: total, bytesPerOrganization } = this.limits;
    if (this.#bytes + bytes > total || owner.reserved + ofOwner > bytesPerOrganization) throw new DeploysUnavailable();
  }
}
