/** `hostname`: one name of one app. `base`: the names of all apps of the organization, `{subdomain}.{base}`. */
export const DOMAIN_KINDS = ['hostname', 'base'] as const;
export type DomainKind = (typeof DOMAIN_KINDS)[number];

/** The three axes in one word. */
export const DOMAIN_STATUSES = ['pending', 'active', 'attention', 'suspended', 'released'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

export const DOMAIN_OWNERSHIPS = ['pending', 'verified', 'failing', 'lost'] as const;
export type DomainOwnership = (typeof DOMAIN_OWNERSHIPS)[number];

/** Where the records of the name lead. */
export const DOMAIN_ROUTINGS = ['unknown', 'here', 'elsewhere', 'partly'] as const;
export type DomainRouting = (typeof DOMAIN_ROUTINGS)[number];

export const DOMAIN_CERTIFICATES = ['none', 'ordering', 'active', 'renewing', 'failed'] as const;
export type DomainCertificate = (typeof DOMAIN_CERTIFICATES)[number];

/** Whether browsers are told to open the domain by https only (RFC 6797). */
export const DOMAIN_HSTS = ['off', 'on'] as const;
export type DomainHsts = (typeof DOMAIN_HSTS)[number];

export const DOMAIN_RECORD_TYPES = ['TXT', 'CNAME', 'A', 'AAAA', 'CAA'] as const;
export type DomainRecordType = (typeof DOMAIN_RECORD_TYPES)[number];
export const DOMAIN_RECORD_PURPOSES = ['ownership', 'routing', 'challenge'] as const;
export type DomainRecordPurpose = (typeof DOMAIN_RECORD_PURPOSES)[number];
export const DOMAIN_RECORD_STATES = ['missing', 'wrong', 'found'] as const;
export type DomainRecordState = (typeof DOMAIN_RECORD_STATES)[number];

/** What one name server answered. */
export interface SeenAnswer {
  /** Host name or address of the name server. */
  readonly server: string;
  /** The values that it returned. Empty when the record is missing there, or when the server did not answer. */
  readonly answer: readonly string[];
}

/** A DNS record that the owner of the domain has to create. */
export interface DomainRecord {
  readonly type: DomainRecordType;
  readonly name: string;
  readonly value: string;
  readonly purpose: DomainRecordPurpose;
  readonly state: DomainRecordState;
  readonly seen: readonly SeenAnswer[];
  /** The likely mistake and the next step; null when there is nothing to say. */
  readonly hint: string | null;
}

/** A domain of the organization's own. */
export interface Domain {
  readonly id: string;
  readonly kind: DomainKind;
  /** In lower case; international names in their ASCII form (`xn--`). */
  readonly name: string;
  /** The app of a host name; null for base domains, and after the app was deleted. */
  readonly app_id: string | null;
  readonly status: DomainStatus;
  readonly ownership: DomainOwnership;
  readonly routing: DomainRouting;
  readonly certificate: DomainCertificate;
  readonly records: readonly DomainRecord[];
  /** Whether it is the main address of its app, or the base of the main addresses of all apps. */
  readonly is_primary: boolean;
  /** The host name to which visitors are redirected; null to serve the app here. */
  readonly redirect_to: string | null;
  readonly hsts: DomainHsts;
  /** RFC 3339, UTC. */
  readonly certificate_expires_at: string | null;
  readonly next_check_at: string | null;
  /** USD a month, as accepted when the domain was added. */
  readonly price_usd: number;
  readonly created_at: string;
}

/** What the account pays for an active domain, in USD a month. */
export type DomainPricesUsd = Readonly<Record<DomainKind, number>>;

export interface DomainList {
  readonly items: readonly Domain[];
  /** Null while the prices are unavailable. */
  readonly prices_usd: DomainPricesUsd | null;
  /** The kinds that can be added here; absent in answers of earlier versions, which do not tell. */
  readonly offered_kinds?: readonly DomainKind[];
}
