import { InMemoryIdentityUnitOfWork } from '../adapters/memory/in-memory-identity-unit-of-work';
import { AppDirectory } from '../application/app-directory.port';
import type { TokensOptions } from '../identity.module';

/** Apps and deploys by organization, for tests. */
export class FakeAppDirectory extends AppDirectory {
  /** Pairs of organization and app. */
  readonly apps: (readonly [organization: string, appId: string])[] = [];
  /** The app of each deploy. */
  readonly deploys = new Map<string, string>();

  async hasApp(organization: string, appId: string): Promise<boolean> {
    return this.apps.some(([owner, id]) => owner === organization && id === appId.toLowerCase());
  }

  async appOfDeploy(organization: string, deployId: string): Promise<string | undefined> {
    const appId = this.deploys.get(deployId);
    return appId !== undefined && (await this.hasApp(organization, appId)) ? appId : undefined;
  }
}

/** The dependencies of tokens and trusts in memory. */
export function inMemoryTokens(publicUrl = 'http://localhost'): TokensOptions & {
  readonly unitOfWork: InMemoryIdentityUnitOfWork;
  readonly apps: FakeAppDirectory;
} {
  const unitOfWork = new InMemoryIdentityUnitOfWork();
  const { tokens, trusts } = unitOfWork;
  return { unitOfWork, tokens, trusts, apps: new FakeAppDirectory(), publicUrl, issuerNetworks: [] };
}
