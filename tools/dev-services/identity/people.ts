/** The upstream identity providers, in the order of the sign-in page. `tint` names a colour of the style. */
export const IDENTITY_PROVIDERS = [
  { id: 'northwind', label: 'Northwind Workforce', monogram: 'N', tint: 'teal' },
  { id: 'globex', label: 'Globex ID', monogram: 'G', tint: 'amber' },
] as const;

export type IdentityProvider = (typeof IDENTITY_PROVIDERS)[number];
export type IdentityProviderId = IdentityProvider['id'];

/** A development user. */
export interface Person {
  /** Unique within the provider; the value that the account page submits. */
  readonly id: string;
  readonly provider: IdentityProviderId;
  /** `<provider>|<id>`: the permanent subject in every token. */
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  /** Absent for a person without an organization. */
  readonly organization?: string;
}

/** The display names of the organizations. */
export const ORGANIZATION_NAMES: Readonly<Record<string, string>> = {
  org_northwind: 'Northwind Traders',
  org_globex: 'Globex Corporation',
};

export const PEOPLE: readonly Person[] = [
  northwind({ id: 'ada', name: 'Ada Park', email: 'ada@northwind.example', organization: 'org_northwind' }),
  northwind({ id: 'ben', name: 'Ben Okafor', email: 'ben@northwind.example', organization: 'org_northwind' }),
  northwind({ id: 'carla', name: 'Carla Ruiz', email: 'carla@northwind.example', organization: 'org_northwind' }),
  northwind({ id: 'dora', name: 'Dora Lind', email: 'dora@northwind.example', organization: 'org_northwind' }),
  northwind({ id: 'erik', name: 'Erik Moss', email: 'erik@northwind.example', organization: 'org_northwind' }),
  northwind({ id: 'fay', name: 'Fay Oduya', email: 'fay@northwind.example', organization: 'org_northwind' }),
  northwind({ id: 'lars', name: 'Lars Weiss', email: 'lars@northwind.example', organization: 'org_northwind' }),
  globex({ id: 'hank', name: 'Hank Cole', email: 'hank@globex.example', organization: 'org_globex' }),
  globex({ id: 'gina', name: 'Gina Sato', email: 'gina@globex.example', organization: 'org_globex' }),
  globex({ id: 'ivy', name: 'Ivy Chen', email: 'ivy@globex.example', organization: 'org_globex' }),
  globex({ id: 'jon', name: 'Jon Reyes', email: 'jon@globex.example', organization: 'org_globex' }),
  globex({ id: 'sam', name: 'Sam Reed', email: 'sam@contractor.example' }),
];

function northwind(person: Omit<Person, 'provider' | 'sub'>): Person {
  return { ...person, provider: 'northwind', sub: subjectOf('northwind', person.id) };
}

function globex(person: Omit<Person, 'provider' | 'sub'>): Person {
  return { ...person, provider: 'globex', sub: subjectOf('globex', person.id) };
}

export function subjectOf(provider: IdentityProviderId, id: string): string {
  return `${provider}|${id}`;
}

export function findPerson(sub: string): Person | undefined {
  return PEOPLE.find((person) => person.sub === sub);
}

export function peopleOf(provider: IdentityProviderId): readonly Person[] {
  return PEOPLE.filter((person) => person.provider === provider);
}

export function findIdentityProvider(id: unknown): IdentityProvider | undefined {
  return IDENTITY_PROVIDERS.find((provider) => provider.id === id);
}
