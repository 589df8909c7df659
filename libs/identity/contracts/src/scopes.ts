/** What an organization's token may do. */
export const ORGANIZATION_SCOPES = [
  'apps:read',
  'apps:write',
  'deploys:write',
  'environment:write',
  'logs:read',
  'domains:write',
  'usage:read',
  'usage:write',
] as const;

/** What a personal token may do in the workspace of its person. */
export const PERSONAL_SCOPES = ['files:read', 'files:write'] as const;

export type Scope = (typeof ORGANIZATION_SCOPES)[number] | (typeof PERSONAL_SCOPES)[number];
