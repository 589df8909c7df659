import type { AppRuntime } from './runtime';

export const APP_TYPES = ['static', 'ssr'] as const;
export type AppType = (typeof APP_TYPES)[number];

export const DNS_STATUSES = ['dns-pending', 'dns-active', 'dns-failed'] as const;
export type DnsStatus = (typeof DNS_STATUSES)[number];

/** Why writing the DNS record of an app failed, and whether it is tried again. */
export interface DnsError {
  readonly code:
    | 'throttled'
    | 'timeout'
    | 'provider-unavailable'
    | 'access-denied'
    | 'zone-missing'
    | 'foreign-record'
    | 'invalid-record';
  /** One sentence for the person who registered the app. */
  readonly message: string;
  readonly retryable: boolean;
  readonly attempts: number;
  /** RFC 3339; null when no further attempt is scheduled. */
  readonly next_attempt_at: string | null;
}

/** What an app shows of the deploy that its visitors see. */
export interface ActiveDeploy {
  readonly number: number;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly created_by: string;
  /** Probable mistakes found in its files. */
  readonly problem_count: number;
  /** Whether `/` answers with a page or a redirect. */
  readonly has_start_page: boolean;
}

export const APP_ADDRESS_KINDS = ['platform', 'base', 'hostname'] as const;
export type AppAddressKind = (typeof APP_ADDRESS_KINDS)[number];

/** An address at which visitors see an app: below the platform domain, below a base domain, or its own host name. */
export interface AppAddress {
  readonly url: string;
  readonly kind: AppAddressKind;
  /** Whether it is the `url` of the app. */
  readonly is_primary: boolean;
}

/** A registered app. */
export interface App {
  readonly id: string;
  readonly name: string;
  readonly subdomain: string;
  /** `{subdomain}.{platform domain}`. */
  readonly hostname: string;
  /** The primary address. */
  readonly url: string;
  /** All addresses that work, the one below the platform domain first. */
  readonly addresses: readonly AppAddress[];
  readonly type: AppType;
  readonly deploy_count: number;
  readonly dns_status: DnsStatus;
  /** Present while `dns_status` is `dns-failed`. */
  readonly dns_error?: DnsError;
  readonly active_deploy_id: string | null;
  /** Null while no deploy is active. */
  readonly active_deploy: ActiveDeploy | null;
  /** Present for SSR apps. */
  readonly runtime?: AppRuntime;
  /** RFC 3339, UTC. */
  readonly created_at: string;
}

/** `GET /api/apps`: the organization's apps, newest first. */
export interface AppList {
  readonly items: readonly App[];
  readonly next_cursor: string | null;
}

/** `GET /api/subdomains/{candidate}`: a hint for forms; only the registration is binding. */
export interface SubdomainAvailability {
  /** The name from the request. */
  readonly candidate: string;
  /** The subdomain that the name becomes. */
  readonly subdomain: string;
  readonly available: boolean;
  readonly reason: 'invalid' | 'reserved' | 'taken' | null;
}

/** `DELETE /api/apps/{id}`. */
export interface AppDeletion {
  readonly id: string;
  readonly deleted: true;
  /** `dangling` when the record could not be removed; until it is, other organizations cannot register the name. */
  readonly dns: 'deleted' | 'dangling';
  readonly archived_deploys: number;
}
