import { isIP } from 'node:net';
import { InvalidRequest, isSecureUrl } from '@homeport/kernel';

const GITHUB = 'https://token.actions.githubusercontent.com';
const GITLAB = 'https://gitlab.com';
/** The names that requests use for well-known issuers. */
const NAMES = new Map([
  ['github', GITHUB],
  ['gitlab', GITLAB],
]);
const MAX_LENGTH = 500;

/** How the tokens of an issuer tell whose pipeline it is. */
export interface OwnerRules {
  readonly claims: readonly string[];
  /** The beginning of each `sub` that names the owner. */
  readonly subject: RegExp;
}

/**
 * The issuers above serve everybody, so a trust without one of these claims would admit the pipelines of strangers. Not
 * among them is `job_workflow_ref`: every repository can call a public workflow. Repositories choose what their `sub`
 * contains, so one that does not begin with its owner could be that of strangers.
 */
const OWNER_RULES = new Map<string, OwnerRules>([
  [
    GITHUB,
    {
      claims: ['repository', 'repository_id', 'repository_owner', 'repository_owner_id'],
      subject: /^repo:[^/:*]+\//,
    },
  ],
  [
    GITLAB,
    { claims: ['project_path', 'project_id', 'namespace_path', 'namespace_id'], subject: /^project_path:[^/:*]+\// },
  ],
]);

/** Which issuers and key sets the server may contact. Members choose them, so they must not reach internal services. */
export class IssuerRules {
  /** On an installation with plain http, which is for development. */
  readonly permitLoopback: boolean;

  /** @param publicUrl the installation's own address. */
  constructor(publicUrl: string) {
    this.permitLoopback = publicUrl.startsWith('http:');
  }

  /** @returns the `iss` of an issuer that a request names. @throws {InvalidRequest} */
  parse(issuer: string): string {
    const known = NAMES.get(issuer) ?? [...NAMES.values()].find((url) => isSameUrl(url, issuer));
    if (known !== undefined) return known;
    if (issuer.length <= MAX_LENGTH && URL.canParse(issuer) && this.isAllowed(new URL(issuer)) && isPlain(issuer)) {
      return issuer;
    }
    const reason = 'It must be github, gitlab, or the https URL of an issuer.';
    throw new InvalidRequest('The request body has invalid fields.', [{ field: 'issuer', reason }]);
  }

  isAllowed(url: URL): boolean {
    if (this.permitLoopback) return isSecureUrl(url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isPublicName = host.includes('.') && isIP(host) === 0 && !host.endsWith('.localhost');
    return url.protocol === 'https:' && isPublicName;
  }
}

/** The short name of a well-known issuer, or its URL. */
export function issuerNameOf(issuer: string): string {
  for (const [name, url] of NAMES) if (url === issuer) return name;
  return issuer;
}

/** The rules of which a trust in this issuer must meet one; undefined for an issuer of the organization's own. */
export function ownerRulesOf(issuer: string): OwnerRules | undefined {
  return OWNER_RULES.get(issuer);
}

/** Compares without the case of the host and a final slash. */
function isSameUrl(url: string, other: string): boolean {
  return new URL(url).href === URL.parse(other)?.href;
}

/** Without credentials, query and fragment, and without spaces that a URL parser drops. */
function isPlain(issuer: string): boolean {
  const { username, password, search, hash } = new URL(issuer);
  return `${username}${password}${search}${hash}` === '' && /^[\x21-\x7e]+$/.test(issuer) && !/[?#]$/.test(issuer);
}
