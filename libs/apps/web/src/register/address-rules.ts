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

/** How many reserved names are told; a configuration may close hundreds. */
const MAX_NAMED = 8;

interface RuleDefinition {
  readonly rule: SubdomainFault;
  readonly words: string;
  readonly isMet: (subdomain: string) => boolean;
}

const ruleDefinitions = (): readonly RuleDefinition[] => [
  {
    rule: 'length',
    words: $localize`${MIN_SUBDOMAIN_LENGTH}:least: to ${MAX_SUBDOMAIN_LENGTH}:most: characters`,
    isMet: ({ length }) => length >= MIN_SUBDOMAIN_LENGTH && length <= MAX_SUBDOMAIN_LENGTH,
  },
  {
    rule: 'characters',
    words: $localize`Letters a to z, digits, hyphens; spaces become hyphens`,
    isMet: (subdomain) => /^[a-z0-9-]*$/.test(subdomain),
  },
  {
    rule: 'hyphen-at-edge',
    words: $localize`No hyphen at the beginning or end`,
    isMet: (subdomain) => !subdomain.startsWith('-') && !subdomain.endsWith('-'),
  },
  {
    rule: 'punycode',
    words: $localize`Not two hyphens in the third and fourth place`,
    isMet: (subdomain) => subdomain.slice(2, 4) !== '--',
  },
];

/**
 * Every rule by itself, so that somebody typing sees all that is left to do.
 * @param reserved every name the API says is closed; those that always are need no telling.
 * @param saysReserved whether the API has said so of this very name.
 */
export function addressRules(
  name: string,
  reserved: readonly string[] = RESERVED_SUBDOMAINS,
  saysReserved = false,
): readonly AddressRule[] {
  const { subdomain, fault } = subdomainFrom(name, reserved);
  const judged = (isMet: boolean): AddressRule['state'] => {
    if (subdomain === '') return 'open';
    return isMet ? 'met' : 'broken';
  };
  return [
    ...ruleDefinitions().map(({ rule, words, isMet }) => ({ rule, words, state: judged(isMet(subdomain)) })),
    { rule: 'reserved', words: reservedMessage(reserved), state: judged(fault !== 'reserved' && !saysReserved) },
  ];
}

export function firstBrokenRule(rules: readonly AddressRule[]): AddressRule | undefined {
  return rules.find(({ state }) => state === 'broken');
}

/** All the rules in one line, where there is no room for a list and nothing to mend. */
export function rulesSummary(rules: readonly AddressRule[]): Pick<AddressRule, 'state' | 'words'> {
  return rules.every(({ state }) => state === 'met')
    ? { state: 'met', words: $localize`Keeps every rule for addresses` }
    : {
        state: 'open',
        words: $localize`${MIN_SUBDOMAIN_LENGTH}:least: to ${MAX_SUBDOMAIN_LENGTH}:most: letters, digits or hyphens`,
      };
}

function reservedMessage(reserved: readonly string[]): string {
  const named = reserved.slice(0, MAX_NAMED).join(', ');
  const more = reserved.length - MAX_NAMED;
  return more > 0
    ? $localize`Not reserved (${named}:names: and ${more}:count: more)`
    : $localize`Not reserved (${named}:names:)`;
}
