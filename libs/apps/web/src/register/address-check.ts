import {
  MAX_SUBDOMAIN_LENGTH,
  MIN_SUBDOMAIN_LENGTH,
  RESERVED_SUBDOMAINS,
  subdomainFrom,
  type SubdomainFault,
} from '@homeport/apps/contracts';
import type { HttpProblem } from '@homeport/platform/web';

const FAULTS: Readonly<Record<SubdomainFault, string>> = {
  length: `The address needs ${MIN_SUBDOMAIN_LENGTH} to ${MAX_SUBDOMAIN_LENGTH} characters.`,
  characters: 'Use letters a to z, digits, spaces and hyphens only.',
  'hyphen-at-edge': 'The address cannot begin or end with a hyphen.',
  punycode: 'Two hyphens cannot stand in the third and fourth place.',
  reserved: `${list(RESERVED_SUBDOMAINS)} are reserved.`,
};

/** What a name becomes, and in words the rule it breaks. A name nobody has begun to type breaks none. */
export interface AddressCheck {
  readonly subdomain: string;
  readonly fault?: string;
}

export function checkAddress(name: string): AddressCheck {
  const { subdomain, fault } = subdomainFrom(name);
  return fault && name.trim() !== '' ? { subdomain, fault: FAULTS[fault] } : { subdomain };
}

/** What a refusal says about the name, undefined when it is about something else. The code decides. */
export function nameRefusal(problem: HttpProblem, subdomain: string): string | undefined {
  switch (problem.code) {
    case 'apps.subdomain-taken':
      return `${subdomain} is taken. Choose another name.`;
    case 'apps.subdomain-reserved':
      return `${subdomain} is reserved. Choose another name.`;
    case 'apps.subdomain-invalid':
      return problem.detail;
    case 'platform.invalid-request':
      return problem.errors.find(({ field }) => field === 'name')?.reason;
    default:
      return undefined;
  }
}

function list(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
