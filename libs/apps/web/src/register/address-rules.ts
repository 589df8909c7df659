import {
  MAX_SUBDOMAIN_LENGTH,
  MIN_SUBDOMAIN_LENGTH,
  RESERVED_SUBDOMAINS,
  subdomainFrom,
  type SubdomainFault,
} from '@homeport/apps/contracts';

/** One address rule and whether the name meets it; `open` while there is no name. */
export interface AddressRule {
  readonly rule: SubdomainFault;
  readonly words: string;
  readonly state: 'open' | 'met' | 'broken';
}

/** Maximum number of reserved names shown; a configuration may reserve hundreds. */
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
 * Checks every rule separately, so the user sees all remaining problems while typing.
 *
 * @param reserved the reserved names according to the API.
 * @param isReportedReserved whether the API reported this name as reserved.
 */
export function addressRules(
  name: string,
  reserved: readonly string[] = RESERVED_SUBDOMAINS,
  isReportedReserved = false,
): readonly AddressRule[] {
  const { subdomain, fault } = subdomainFrom(name, reserved);
  const stateOf = (isMet: boolean): AddressRule['state'] => {
    if (subdomain === '') return 'open';
    return isMet ? 'met' : 'broken';
  };
  return [
    ...ruleDefinitions().map(({ rule, words, isMet }) => ({ rule, words, state: stateOf(isMet(subdomain)) })),
    { rule: 'reserved', words: reservedMessage(reserved), state: stateOf(fault !== 'reserved' && !isReportedReserved) },
  ];
}

export function firstBrokenRule(rules: readonly AddressRule[]): AddressRule | undefined {
  return rules.find(({ state }) => state === 'broken');
}

/** All rules in one line, for small screens without a broken rule. */
export function rulesSummary(rules: readonly AddressRule[]): Pick<AddressRule, 'state' | 'words'> {
  return rules.every(({ state }) => state === 'met')
    ? { state: 'met', words: $localize`Meets all address rules` }
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
