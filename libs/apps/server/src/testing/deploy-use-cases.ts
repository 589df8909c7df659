import { InMemoryDeployRepository } from '../deploys/adapters/memory/in-memory-deploy-repository';
import { InMemoryStartChecks } from '../deploys/adapters/memory/in-memory-start-checks';
import { FinishDeploy } from '../deploys/application/finish-deploy';
import { StartServer, type StartServerDependencies } from '../deploys/application/start-server';
import { InMemoryAppRepository } from '../registry/adapters/memory/in-memory-app-repository';
import type { InMemoryApps } from '../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../shared/adapters/memory/in-memory-apps-unit-of-work';

/** The repositories and use cases that an upload needs, over one store. Servers start at once by default. */
export function deployUseCasesIn(
  store: InMemoryApps,
  { checks = new InMemoryStartChecks(), ...more }: Partial<Pick<StartServerDependencies, 'checks' | 'now'>> = {},
) {
  const unitOfWork = new InMemoryAppsUnitOfWork(store);
  const deploys = new InMemoryDeployRepository(store);
  return {
    apps: new InMemoryAppRepository(store),
    deploys,
    finishDeploy: new FinishDeploy(unitOfWork),
    startServer: new StartServer({ unitOfWork, deploys, checks, ...more }),
  };
}
