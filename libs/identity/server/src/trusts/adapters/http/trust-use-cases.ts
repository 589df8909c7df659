import type { CreateTrust } from '../../application/create-trust';
import type { DeleteTrust } from '../../application/delete-trust';
import type { ExchangeToken } from '../../application/exchange-token';
import type { ListTrusts } from '../../application/list-trusts';

/** The use cases of the trust routes and the token exchange. */
export class TrustUseCases {
  constructor(
    readonly createTrust: CreateTrust,
    readonly listTrusts: ListTrusts,
    readonly deleteTrust: DeleteTrust,
    readonly exchangeToken: ExchangeToken,
  ) {}
}
