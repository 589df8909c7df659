import type { CreateToken } from '../../application/create-token';
import type { ListTokens } from '../../application/list-tokens';
import type { RevokeToken } from '../../application/revoke-token';

/** The use cases of the token routes. */
export class TokenUseCases {
  constructor(
    readonly createToken: CreateToken,
    readonly listTokens: ListTokens,
    readonly revokeToken: RevokeToken,
  ) {}
}
