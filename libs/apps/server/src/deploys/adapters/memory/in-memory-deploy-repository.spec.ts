import { AppFixture } from '../../../testing/app-fixture';
import { branchAliasesContract } from '../../../testing/branch-aliases.contract';
import { blobLedgerContract } from '../../../testing/blob-ledger.contract';
import { deployActivationContract } from '../../../testing/deploy-activation.contract';
import { deployRepositoryContract } from '../../../testing/deploy-repository.contract';
import { DeployFixture, type DeployRepositoryHarness } from '../../../testing/deploy-fixtures';
import { InMemoryAppRepository } from '../../../registry/adapters/memory/in-memory-app-repository';
import { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { InMemoryBlobLedger } from '../../../blobs/adapters/memory/in-memory-blob-ledger';
import { InMemoryAliasRepository } from './in-memory-alias-repository';
import { InMemoryDeployRepository } from './in-memory-deploy-repository';

const store = new InMemoryApps();
const change = <T>(rows: Map<string, T>, id: string, changed: (row: T) => Partial<T>) => {
  const row = rows.get(id);
  if (row) rows.set(id, { ...row, ...changed(row) });
};
const open = (): DeployRepositoryHarness => ({
  apps: new InMemoryAppRepository(store),
  registry: AppFixture.inMemory(store),
  deploys: new InMemoryDeployRepository(store),
  releases: new DeployFixture(new InMemoryAppsUnitOfWork(store)),
  ledger: new InMemoryBlobLedger(store),
  expireLease: async (id) => change(store.deploys, id, () => ({ leaseUntil: Date.now() - 1 })),
  ageBlobs: async (ids, hours) => {
    for (const id of ids) change(store.blobs, id, ({ usedAt }) => ({ usedAt: usedAt - hours * 3_600_000 }));
  },
});

deployRepositoryContract(InMemoryDeployRepository.name, open);
branchAliasesContract(InMemoryAliasRepository.name, open);
deployActivationContract(InMemoryDeployRepository.name, open);
blobLedgerContract(InMemoryBlobLedger.name, open);
