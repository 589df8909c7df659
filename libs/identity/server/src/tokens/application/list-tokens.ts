import type { ApiTokenList } from '@homeport/identity/contracts';
import type { TokenOwner } from '../domain/token-record';
import { presentToken } from './present-token';
import type { TokenRepository } from './token-repository.port';

/** Lists the tokens of an organization or of a person. */
export class ListTokens {
  constructor(private readonly tokens: TokenRepository) {}

  /** Newest first. One page holds all: `MAX_TOKENS` limits their number. */
  async execute(owner: TokenOwner): Promise<ApiTokenList> {
    return { items: (await this.tokens.list(owner)).map(presentToken), next_cursor: null };
  }
}
