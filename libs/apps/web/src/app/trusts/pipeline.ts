import type { Trust } from '@homeport/identity/contracts';

/** The body of a request for a new trust. */
export type NewTrust = Pick<Trust, 'issuer' | 'claims' | 'scopes'>;

export const PIPELINE_ISSUERS = ['github', 'gitlab'] as const;
export type PipelineIssuer = (typeof PIPELINE_ISSUERS)[number];

/** The names of the hosts of repositories are trademarks, and stay untranslated. */
export const ISSUER_NAMES: Readonly<Record<PipelineIssuer, string>> = { github: 'GitHub Actions', gitlab: 'GitLab CI' };

/** The pipelines of a repository; of one branch, or of all when `branch` is empty. */
export interface Pipeline {
  readonly issuer: PipelineIssuer;
  /** `owner/name`; on GitLab also with subgroups. */
  readonly repository: string;
  readonly branch: string;
}

/** The claims that the tokens of a pipeline have: GitHub and GitLab name them differently. */
export function trustFor({ issuer, repository, branch }: Pipeline): NewTrust {
  const claims =
    issuer === 'github'
      ? { repository, ...(branch !== '' && { ref: `refs/heads/${branch}` }) }
      : { project_path: repository, ...(branch !== '' && { ref: branch, ref_type: 'branch' }) };
  return { issuer, claims, scopes: ['apps:read', 'deploys:write'] };
}

/** How a list shows a trust, also one that another client created. */
export interface TrustSummary {
  readonly name: string;
  readonly issuer: string;
  /** Claims other than the repository. */
  readonly conditions: readonly string[];
}

export function trustSummary({ issuer, claims }: Pick<Trust, 'issuer' | 'claims'>): TrustSummary {
  const { repository, project_path, ...others } = claims;
  return {
    name: repository ?? project_path ?? issuer,
    issuer: ISSUER_NAMES[issuer as PipelineIssuer] ?? issuer,
    conditions: Object.entries(others)
      .filter(([claim]) => claim !== 'ref_type')
      .map(([claim, value]) => (claim === 'ref' ? value.replace('refs/heads/', '') : `${claim}: ${value}`)),
  };
}

/** Whether a text is a repository path: two or more names with a slash between them. */
export function isRepositoryPath(text: string): boolean {
  return /^[\w.-]+(\/[\w.-]+)+$/.test(text);
}
