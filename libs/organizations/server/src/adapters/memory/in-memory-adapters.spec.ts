import { accountRepositoryContract } from '../../testing/account-repository.contract';
import { auditTrailContract } from '../../testing/audit-trail.contract';
import { InMemoryAccountRepository } from './in-memory-account-repository';
import { InMemoryAuditTrail } from './in-memory-audit-trail';

const accounts = new InMemoryAccountRepository();
const auditTrail = new InMemoryAuditTrail();

accountRepositoryContract(InMemoryAccountRepository.name, () => accounts);
auditTrailContract(InMemoryAuditTrail.name, () => auditTrail);
