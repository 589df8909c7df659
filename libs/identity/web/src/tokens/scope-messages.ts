import type { Scope } from '@homeport/identity/contracts';
import type { TokenKind } from './tokens-client';

/** A permission that the dialog offers. */
export interface OfferedScope {
  readonly scope: Scope;
  readonly label: string;
  readonly isChosen: boolean;
}

/** The permissions that this version of the product has routes for, in the order of the dialog. */
export function offeredScopes(kind: TokenKind): readonly OfferedScope[] {
  if (kind === 'personal')
    return [
      { scope: 'files:read', label: $localize`Read and list files`, isChosen: true },
      { scope: 'files:write', label: $localize`Write, move and delete files`, isChosen: false },
    ];
  return [
    { scope: 'deploys:write', label: $localize`Deploy and roll back`, isChosen: true },
    { scope: 'apps:read', label: $localize`Read apps, deploys and domains`, isChosen: true },
    { scope: 'apps:write', label: $localize`Create and delete apps`, isChosen: false },
    { scope: 'domains:write', label: $localize`Add, change and remove domains`, isChosen: false },
    { scope: 'environment:write', label: $localize`Set and remove variables of servers`, isChosen: false },
    { scope: 'logs:read', label: $localize`Read logs and the state of servers`, isChosen: false },
    { scope: 'usage:read', label: $localize`Read usage and charges`, isChosen: false },
    { scope: 'usage:write', label: $localize`Report usage of other products`, isChosen: false },
  ];
}

/** The permissions of a token in words; unknown ones by their name. */
export function scopeSummary(kind: TokenKind, scopes: readonly Scope[]): string {
  const labels = new Map(offeredScopes(kind).map(({ scope, label }) => [scope, label]));
  return scopes.map((scope) => labels.get(scope) ?? scope).join(' · ');
}
