export { accountRepositoryContract } from './account-repository.contract';
export { auditTrailContract } from './audit-trail.contract';
