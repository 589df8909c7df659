import { identityUnitOfWorkContract } from '../../testing/identity-unit-of-work.contract';
import { tokenRepositoryContract } from '../../testing/token-repository.contract';
import { trustRepositoryContract } from '../../testing/trust-repository.contract';
import { InMemoryTokenRepository } from '../../tokens/adapters/memory/in-memory-token-repository';
import { InMemoryTrustRepository } from '../../trusts/adapters/memory/in-memory-trust-repository';
import { InMemoryIdentityUnitOfWork } from './in-memory-identity-unit-of-work';

const tokens = new InMemoryTokenRepository();
const trusts = new InMemoryTrustRepository();
const unitOfWork = new InMemoryIdentityUnitOfWork();

tokenRepositoryContract(InMemoryTokenRepository.name, () => tokens);
trustRepositoryContract(InMemoryTrustRepository.name, () => trusts);
identityUnitOfWorkContract(InMemoryIdentityUnitOfWork.name, () => ({
  unitOfWork,
  tokens: unitOfWork.tokens,
  recordedTargets: async () => unitOfWork.events.map(({ target }) => target),
}));
