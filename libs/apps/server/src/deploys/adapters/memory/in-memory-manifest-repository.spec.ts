import { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { AppFixture } from '../../../testing/app-fixture';
import { DeployFixture } from '../../../testing/deploy-fixtures';
import { manifestRepositoryContract } from '../../../testing/manifest-repository.contract';
import { InMemoryDeployRepository } from './in-memory-deploy-repository';
import { InMemoryManifestRepository } from './in-memory-manifest-repository';

const store = new InMemoryApps();

manifestRepositoryContract(InMemoryManifestRepository.name, () => ({
  registry: AppFixture.inMemory(store),
  deploys: new InMemoryDeployRepository(store),
  manifests: new InMemoryManifestRepository(store),
  releases: new DeployFixture(new InMemoryAppsUnitOfWork(store)),
  expireLease: async (id) => {
    const deploy = store.deploys.get(id);
    if (deploy) store.deploys.set(id, { ...deploy, leaseUntil: Date.now() - 1 });
  },
}));
