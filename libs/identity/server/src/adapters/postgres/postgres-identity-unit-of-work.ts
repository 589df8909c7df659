import { type Database, type Queries, queriesIn } from '@homeport/platform/server/database';
import {
  type AuditRecorder,
  type IdentityRepositories,
  IdentityUnitOfWork,
} from '../../tokens/application/identity-unit-of-work.port';
import { PostgresTokenRepository } from '../../tokens/adapters/postgres/postgres-token-repository';
import { PostgresTrustRepository } from '../../trusts/adapters/postgres/postgres-trust-repository';

/** The unit of work of tokens and trusts: a transaction in PostgreSQL. */
export class PostgresIdentityUnitOfWork extends IdentityUnitOfWork {
  /** @param auditIn returns the audit trail that records in a transaction; it belongs to another domain. */
  constructor(
    private readonly database: Pick<Database, 'transaction'>,
    private readonly auditIn: (queries: Queries) => AuditRecorder,
  ) {
    super();
  }

  async run<T>(work: (repositories: IdentityRepositories) => Promise<T>): Promise<T> {
    return this.database.transaction((manager) => {
      const queries = queriesIn(manager);
      return work({
        tokens: new PostgresTokenRepository(queries),
        trusts: new PostgresTrustRepository(queries),
        audit: this.auditIn(queries),
      });
    });
  }
}
