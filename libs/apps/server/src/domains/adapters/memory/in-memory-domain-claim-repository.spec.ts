import { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { domainClaimsContract } from '../../../testing/domain-claims.contract';
import { InMemoryDomainClaimRepository } from './in-memory-domain-claim-repository';

const unitOfWork = new InMemoryAppsUnitOfWork(new InMemoryApps());

domainClaimsContract(InMemoryDomainClaimRepository.name, () => unitOfWork);
