import { DomainError } from '@homeport/kernel';

/** The received bytes are not those that the digest and the size name. Nothing was stored. */
export class DigestMismatch extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'files.digest-mismatch';

  constructor() {
    super('The uploaded bytes do not match the digest or the size that the manifest states. Nothing was stored.');
  }
}
