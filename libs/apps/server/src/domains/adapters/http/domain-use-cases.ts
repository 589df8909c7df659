import type { DomainCatalog } from '../../application/domain-catalog';
import type { DomainRegistration } from '../../application/domain-registration';
import type { EditDomain } from '../../application/edit-domain';

/** The use cases of the controller. */
export class DomainUseCases {
  constructor(
    readonly catalog: DomainCatalog,
    readonly registration: DomainRegistration,
    readonly editDomain: EditDomain,
  ) {}
}
