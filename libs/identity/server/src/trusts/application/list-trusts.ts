import type { Member, TrustList } from '@homeport/identity/contracts';
import type { AppDirectory } from '../../application/app-directory.port';
import { AppMissing } from '../../tokens/domain/tokens.errors';
import { presentTrust } from './present-trust';
import type { TrustRepository } from './trust-repository.port';

/** Lists the trusts of an app. */
export class ListTrusts {
  constructor(
    private readonly trusts: TrustRepository,
    private readonly apps: AppDirectory,
  ) {}

  /** Newest first. One page holds all: `MAX_TRUSTS` limits their number. @throws {AppMissing} */
  async execute({ organization }: Member, app: string): Promise<TrustList> {
    if (!(await this.apps.hasApp(organization, app))) throw new AppMissing();
    return { items: (await this.trusts.list(organization, app)).map(presentTrust), next_cursor: null };
  }
}
