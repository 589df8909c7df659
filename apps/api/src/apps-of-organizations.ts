import type { AppRepository, DeployRepository } from '@homeport/apps/server';
import { AppDirectory } from '@homeport/identity/server';

/** Finds apps for tokens and trusts in the repositories of the apps domain. */
export class AppsOfOrganizations extends AppDirectory {
  constructor(
    private readonly apps: Pick<AppRepository, 'find'>,
    private readonly deploys: Pick<DeployRepository, 'find'>,
  ) {
    super();
  }

  async hasApp(organization: string, appId: string): Promise<boolean> {
    return (await this.apps.find(organization, appId)) !== undefined;
  }

  async appOfDeploy(organization: string, deployId: string): Promise<string | undefined> {
    return (await this.deploys.find(organization, deployId))?.appId;
  }
}
