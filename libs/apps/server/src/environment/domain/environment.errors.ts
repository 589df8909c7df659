import { DomainError } from '@homeport/kernel';

/** The operator configured no keys that seal the values of variables. */
export class SecretsOff extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.secrets-off';

  constructor() {
    super('This server has no keys for secrets, so variables cannot be set. Its operator has to set SECRETS_KEYS.');
  }
}
