import { DomainError } from '@homeport/kernel';

export class TrustQuotaExceeded extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'identity.trust-quota-exceeded';

  constructor(max: number) {
    super(`An app can have at most ${max} trusts. Delete one that is not in use.`);
  }
}
