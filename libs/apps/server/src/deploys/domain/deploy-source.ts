import { type DeploySource, MAX_SOURCE_MESSAGE_LENGTH } from '@homeport/apps/contracts';
import { type FieldProblem, InvalidRequest } from '@homeport/kernel';

/** Bytes of a Git reference on most systems. */
export const MAX_BRANCH_LENGTH = 255;
export const MAX_SOURCE_URL_LENGTH = 2_048;
export const COMMIT_PATTERN = '^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$';

/** The values of a source as a request has them. */
export type SourceParameters = Readonly<Partial<Record<keyof DeploySource, string>>>;

const RULES: Readonly<Record<keyof DeploySource, { isValid: (value: string) => boolean; reason: string }>> = {
  branch: {
    isValid: (value) => lengthOf(value) <= MAX_BRANCH_LENGTH && !/\p{Cc}/u.test(value),
    reason: `It must have 1 to ${MAX_BRANCH_LENGTH} characters and no control characters.`,
  },
  commit: {
    isValid: (value) => new RegExp(COMMIT_PATTERN).test(value),
    reason: 'It must be a commit id of 40 or 64 hexadecimal digits.',
  },
  message: {
    isValid: (value) => lengthOf(value) <= MAX_SOURCE_MESSAGE_LENGTH && !/(?![\t\n\r])\p{Cc}/u.test(value),
    reason: `It must have 1 to ${MAX_SOURCE_MESSAGE_LENGTH} characters and no control characters but line breaks and tabs.`,
  },
  url: {
    isValid: (value) => value.length <= MAX_SOURCE_URL_LENGTH && isPublicHttpsUrl(value),
    reason: `It must be an https URL of at most ${MAX_SOURCE_URL_LENGTH} characters, without a user name or a password.`,
  },
};
const NAMES = Object.keys(RULES) as (keyof DeploySource)[];

/**
 * Parses the source that an uploader states.
 * @returns undefined when nothing is stated.
 * @throws {InvalidRequest} with all invalid values.
 */
export function parseDeploySource(given: SourceParameters): DeploySource | undefined {
  const stated = NAMES.filter((name) => given[name] !== undefined);
  if (stated.length === 0) return undefined;
  const faults = stated.flatMap((name): FieldProblem[] => {
    const { isValid, reason } = RULES[name];
    return isValid(given[name] ?? '') ? [] : [{ field: name, reason }];
  });
  if (faults.length > 0) throw new InvalidRequest('The source of the deploy is invalid.', faults);
  const { branch = null, commit, message = null, url = null } = given;
  return { branch, commit: commit?.toLowerCase() ?? null, message, url };
}

/** Whether a deploy can state this branch. */
export function isBranch(value: string): boolean {
  return value !== '' && RULES.branch.isValid(value);
}

/** Code points, as the OpenAPI document counts them. */
function lengthOf(value: string): number {
  return [...value].length;
}

function isPublicHttpsUrl(value: string): boolean {
  // `new URL` ignores white space around and line breaks within an address.
  if (/[\s\p{Cc}]/u.test(value) || !/^https:\/\//i.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.username === '' && url.password === '';
}
