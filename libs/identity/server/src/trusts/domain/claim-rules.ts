import { type FieldProblem, InvalidRequest } from '@homeport/kernel';
import { ownerRulesOf } from './issuers';

const MAX_CLAIMS = 20;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 500;
/** The server checks these claims of every token itself. */
const RESERVED = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'];

export type ClaimRules = Readonly<Record<string, string>>;

/**
 * Checks the required claims of a trust. A value matches exactly; one `*` at its end matches any rest.
 * @throws {InvalidRequest}
 */
export function parseClaimRules(value: unknown, issuer: string): ClaimRules {
  const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const problems = entries.flatMap(([name, rule]) => problemsOf(name, rule));
  if (entries.length === 0 || entries.length > MAX_CLAIMS) {
    problems.push({ field: 'claims', reason: `It must be an object with 1 to ${MAX_CLAIMS} claims.` });
  }
  const rules = Object.fromEntries(entries) as Record<string, string>;
  if (problems.length === 0 && !namesOwner(rules, issuer)) {
    const names = ownerRulesOf(issuer)?.claims.join(', ');
    const reason =
      `This issuer serves everybody. Require one of ${names}, with a "*" only after the owner and "/", or a sub that ` +
      'begins with the owner.';
    problems.push({ field: 'claims', reason });
  }
  if (problems.length > 0) throw new InvalidRequest('The request body has invalid fields.', problems);
  return rules;
}

function problemsOf(name: string, rule: unknown): FieldProblem[] {
  const field = `claims.${name.slice(0, MAX_NAME_LENGTH)}`;
  if (RESERVED.includes(name)) return [{ field, reason: 'This claim is always checked and cannot be changed.' }];
  if (!/^[\x21-\x7e]+$/.test(name) || name.length > MAX_NAME_LENGTH) {
    return [{ field: 'claims', reason: `A name must have 1 to ${MAX_NAME_LENGTH} visible ASCII characters.` }];
  }
  if (typeof rule !== 'string' || rule === '' || rule.length > MAX_VALUE_LENGTH || /[\p{Cc}\p{Cs}]/u.test(rule)) {
    return [{ field, reason: `It must be a text of 1 to ${MAX_VALUE_LENGTH} characters.` }];
  }
  if (rule === '*') return [{ field, reason: 'A "*" alone requires nothing. Leave the claim out.' }];
  const star = rule.indexOf('*');
  return star === -1 || star === rule.length - 1 ? [] : [{ field, reason: 'A "*" is allowed only once, at the end.' }];
}

/** Whether the rules say whose pipelines they admit. `acme*` would also admit `acme-impostor/shop`. */
function namesOwner(rules: ClaimRules, issuer: string): boolean {
  const owner = ownerRulesOf(issuer);
  if (!owner) return true;
  const ruleOf = (name: string) => (Object.hasOwn(rules, name) ? rules[name] : undefined);
  if (owner.subject.test(ruleOf('sub') ?? '')) return true;
  return owner.claims.map(ruleOf).some((rule) => rule !== undefined && (!rule.endsWith('*') || /^[^/]+\//.test(rule)));
}

/** Whether the claims of a token meet all rules. Numbers and booleans compare as text; other types never match. */
export function matchesClaims(rules: ClaimRules, claims: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(rules).every(([name, rule]) => {
    const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (!['string', 'number', 'boolean'].includes(typeof claim)) return false;
    return rule.endsWith('*') ? String(claim).startsWith(rule.slice(0, -1)) : String(claim) === rule;
  });
}
