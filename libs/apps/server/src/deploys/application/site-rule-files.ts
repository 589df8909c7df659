import { type DeployProblem, START_PAGE } from '@homeport/apps/contracts';
import { isRuleFile, parseHeaders, parseRedirects } from '@homeport/hosting/contracts';
import type { ReadyDeploy } from './deploy-repository.port';

/** Many times the size of the maximum number of rules. */
const MAX_RULE_FILE_BYTES = 4 * 1024 * 1024;

interface File {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Whether a file has rules that are read; larger files only cause a problem. */
export function isReadableRuleFile({ path, size }: File): boolean {
  return isRuleFile(path) && size <= MAX_RULE_FILE_BYTES;
}

/**
 * Parses the rules of a site and collects their problems.
 * @param texts the texts of the rule files, by path.
 * @param files at least the rule files.
 */
export function parseRules(
  texts: ReadonlyMap<string, string>,
  files: readonly File[],
): Pick<ReadyDeploy, 'rules' | 'problems'> {
  const redirects = parseRedirects(texts.get('_redirects') ?? '');
  const headers = parseHeaders(texts.get('_headers') ?? '');
  const skipped = files.filter(({ path }) => isRuleFile(path) && !texts.has(path));
  const rules = { redirects: redirects.rules, headers: headers.rules };
  const problems: DeployProblem[] = [
    ...skipped.map(({ path }) => ({ path, line: null, reason: 'The file is too large for rules, and is not read.' })),
    ...redirects.problems,
    ...headers.problems,
  ];
  return { rules, problems };
}

/** Reports a site whose `/` answers 404. @param page its start page in a folder, if it has one. */
export function startPageProblem(page: string | undefined): DeployProblem {
  const folder = page?.slice(0, -`/${START_PAGE}`.length);
  const reason =
    folder === undefined
      ? 'There is no index.html at the top.'
      : `There is no index.html at the top. There is one in "${folder}": upload the contents of that folder.`;
  return { path: START_PAGE, line: null, reason };
}
