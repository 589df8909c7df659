import type { Queries } from '@homeport/platform/server/database';
import { LessThan, MoreThan } from 'typeorm';
import { type AccountPageRequest, AccountRepository } from '../../application/account-repository.port';
import type { Account } from '../../domain/account';
import { AccountEntity } from './account.entity';

/** The accounts in PostgreSQL. */
export class PostgresAccountRepository extends AccountRepository {
  constructor(private readonly queries: Pick<Queries, 'run'>) {
    super();
  }

  async add(organization: string): Promise<Account> {
    return this.queries.run(async (manager) => {
      await manager.createQueryBuilder().insert().into(AccountEntity).values({ organization }).orIgnore().execute();
      return manager.findOneByOrFail(AccountEntity, { organization });
    });
  }

  async find(organization: string): Promise<Account | undefined> {
    const account = await this.queries.run((manager) => manager.findOneBy(AccountEntity, { organization }));
    return account ?? undefined;
  }

  async list({ after, createdBefore, limit }: AccountPageRequest): Promise<readonly Account[]> {
    return this.queries.run((manager) =>
      manager.find(AccountEntity, {
        where: { createdAt: LessThan(createdBefore), ...(after !== undefined && { organization: MoreThan(after) }) },
        order: { organization: 'ASC' },
        take: limit,
      }),
    );
  }
}
