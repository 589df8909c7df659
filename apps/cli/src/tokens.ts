import { allItems, type Homeport, type Page } from '@homeport/api-client';

/** A token of the organization, or a personal token for the files of one person. */
export interface Token {
  readonly id: string;
  readonly name: string;
  readonly kind: 'organization' | 'personal';
  readonly scopes: readonly string[];
  readonly app_id?: string | null;
  readonly prefix?: string | null;
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** @param isPersonal whether the tokens of the person, instead of the organization. */
export const tokensPath = (isPersonal: boolean) => (isPersonal ? '/api/me/tokens' : '/api/tokens');

export function allTokens(homeport: Homeport, isPersonal: boolean): AsyncGenerator<Token, void> {
  return allItems(async (cursor) => {
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const response = await homeport.send({ method: 'GET', path: tokensPath(isPersonal) + query });
    return (await response.json()) as Page<Token>;
  });
}
