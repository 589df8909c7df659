import type { Queries } from '@homeport/platform/server/database';
import { DomainPeriods } from '../../application/domain-periods.port';
import type { DomainClaimFacts } from '../../domain/domain-claim';

/** The periods in PostgreSQL. */
export class PostgresDomainPeriods extends DomainPeriods {
  constructor(private readonly queries: Queries) {
    super();
  }

  async open(claim: Pick<DomainClaimFacts, 'id' | 'organization' | 'kind' | 'name'>, from: Date): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        `insert into apps.domain_periods (claim_id, organization, kind, name, started_at) values ($1, $2, $3, $4, $5)
         on conflict (claim_id) where ended_at is null do nothing`,
        [claim.id, claim.organization, claim.kind, claim.name, from],
      ),
    );
  }

  async close(claimId: string, to: Date): Promise<void> {
    await this.queries.run((manager) =>
      manager.query('update apps.domain_periods set ended_at = $2 where claim_id = $1 and ended_at is null', [
        claimId,
        to,
      ]),
    );
  }
}
