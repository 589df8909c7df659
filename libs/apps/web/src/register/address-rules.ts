import {
  MAX_SUBDOMAIN_LENGTH,
  MIN_SUBDOMAIN_LENGTH,
  RESERVED_SUBDOMAINS,
  subdomainFrom,
  type SubdomainFault,
} from '@homeport/apps/contracts';

/** One rule for addresses, and whether a name keeps it; `open` while there is no name to judge. */
export interface AddressRule {
  readonly rule: SubdomainFault;
  readonly words: string;
  readonly state: 'open' | 'met' | 'broken';
}

const RULES: readonly {
  readonly rule: SubdomainFault;
  readonly words: string;
  readonly isMet: (subdomain: string) => boolean;
}[] = [
  {
    rule: 'length',
    words: `${MIN_SUBDOMAIN_LENGTH} to ${MAX_SUBDOMAIN_LENGTH} characters`,
    isMet: ({ length }) => length >= MIN_SUBDOMAIN_LENGTH && length <= MAX_SUBDOMAIN_LENGTH,
  },
  {
    rule: 'characters',
    words: 'Letters a to z, digits, hyphens; spaces become hyphens',
    isMet: (subdomain) => /^[a-z0-9-]*$/.test(subdomain),
  },
  {
    rule: 'hyphen-at-edge',
    words: 'No hyphen at the beginning or end',
    isMet: (subdomain) => !subdomain.startsWith('-') && !subdomain.endsWith('-'),
  },
  {
    rule: 'punycode',
    words: 'Not two hyphens in the third and fourth place',
    isMet: (subdomain) => subdomain.slice(2, 4) !== '--',
  },
  {
    rule: 'reserved',
    words: `Not reserved (${RESERVED_SUBDOMAINS.join(', ')})`,
    isMet: (subdomain) => !RESERVED_SUBDOMAINS.some((reserved) => reserved === subdomain),
  },
];

/**
 * Every rule by itself, so that somebody typing sees all that is left to do.
 * @param isReserved whether the API says that the name is reserved here; its configuration may close more names.
 */
export function addressRules(name: string, isReserved = false): readonly AddressRule[] {
  const { subdomain } = subdomainFrom(name);
  return RULES.map(({ rule, words, isMet }) => {
    if (subdomain === '') return { rule, words, state: 'open' };
    const isBroken = !isMet(subdomain) || (rule === 'reserved' && isReserved);
    return { rule, words, state: isBroken ? 'broken' : 'met' };
  });
}

export function brokenRule(rules: readonly AddressRule[]): AddressRule | undefined {
  return rules.find(({ state }) => state === 'broken');
}
