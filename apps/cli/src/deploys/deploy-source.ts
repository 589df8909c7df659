import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Variables } from '../environment';

const run = promisify(execFile);
const MESSAGE_LENGTH = 200;

/** What the history of deploys shows about the origin of a deploy. */
export interface DeploySource {
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  readonly message?: string | undefined;
  readonly url?: string | undefined;
}

/** Describes the commit in `folder`: by the options, the variables of the pipeline, or git, in this order. */
export async function sourceOf(folder: string, options: DeploySource, variables: Variables): Promise<DeploySource> {
  const detected = { ...(await sourceOfRepository(folder)), ...present(sourceOfPipeline(variables)) };
  const { message, ...source } = { ...detected, ...present(options) };
  const [summary] = (message ?? '').trim().split('\n');
  return present({ ...source, message: summary ? [...summary].slice(0, MESSAGE_LENGTH).join('') : undefined });
}

/** GitHub Actions and GitLab CI. */
export function sourceOfPipeline(variables: Variables): DeploySource {
  if (variables['GITHUB_ACTIONS'] === 'true') {
    const { GITHUB_SHA: commit, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = variables;
    const isBranch = variables['GITHUB_REF_TYPE'] === 'branch';
    const branch = variables['GITHUB_HEAD_REF'] || (isBranch ? variables['GITHUB_REF_NAME'] : undefined);
    return { branch, commit, url: `${server}/${repository}/commit/${commit}` };
  }
  if (variables['GITLAB_CI'] !== 'true') return {};
  const { CI_COMMIT_SHA: commit, CI_COMMIT_TITLE: message, CI_PROJECT_URL: project } = variables;
  const branch = variables['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'] || variables['CI_COMMIT_BRANCH'];
  return { branch, commit, message, url: `${project}/-/commit/${commit}` };
}

/** Empty outside a repository, without a commit, and without git. */
async function sourceOfRepository(folder: string): Promise<DeploySource> {
  const commit = await git(folder, ['rev-parse', '--verify', 'HEAD']);
  if (commit === undefined) return {};
  const [branch, message] = await Promise.all([
    git(folder, ['symbolic-ref', '--short', '-q', 'HEAD']),
    git(folder, ['log', '-1', '--format=%s']),
  ]);
  return present({ branch, commit, message });
}

async function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await run('git', ['-C', folder, ...args])).stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

function present(source: DeploySource): DeploySource {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
}
