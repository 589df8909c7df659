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

/**
 * Claims that tell whose pipeline it is. The issuers above serve everybody, so a trust without one of them would admit
 * the pipelines of strangers.
 */
const OWNER_CLAIMS = new Map([
  [GITHUB, ['repository', 'repository_id', 'repository_owner', 'repository_owner_id', 'sub', 'job_workflow_ref']],
  [GITLAB, ['project_path', 'project_id', 'namespace_path', 'namespace_id', 'sub']],
]);

/** Which issuers and key sets the server may contact. Members choose them, so they must not reach internal services. */
export class IssuerRules {
  /** @param publicUrl the installation's own address; on plain http, which is for development, loopback is allowed. */
  constructor(private readonly publicUrl: string) {}

  /** @returns the `iss` of an issuer that a request names. @throws {InvalidRequest} */
  parse(issuer: string): string {
    const known = NAMES.get(issuer);
    if (known !== undefined) return known;
    if (issuer.length <= MAX_LENGTH && URL.canParse(issuer) && this.isAllowed(new URL(issuer)) && isPlain(issuer)) {
      return issuer;
    }
    const reason = 'It must be github, gitlab, or the https URL of an issuer.';
    throw new InvalidRequest('The request body has invalid fields.', [{ field: 'issuer', reason }]);
  }

  isAllowed(url: URL): boolean {
    if (this.publicUrl.startsWith('http:')) return isSecureUrl(url);
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

/** The claims of which a trust in this issuer needs at least one; empty for an issuer of the organization's own. */
export function ownerClaimsOf(issuer: string): readonly string[] {
  return OWNER_CLAIMS.get(issuer) ?? [];
}

/** Without credentials, query and fragment, and without spaces that a URL parser drops. */
function isPlain(issuer: string): boolean {
  const { username, password, search, hash } = new URL(issuer);
  return `${username}${password}${search}${hash}` === '' && /^[\x21-\x7e]+$/.test(issuer) && !/[?#]$/.test(issuer);
}
