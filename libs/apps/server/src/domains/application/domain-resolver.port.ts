import type { DomainRecordType } from '@homeport/apps/contracts';

/** What one name server says of a record. `unknown`: no answer, or a failure; it proves nothing. */
export interface ServerAnswer {
  /** Host name or address of the server. */
  readonly server: string;
  readonly outcome: 'found' | 'absent' | 'unknown';
  /** The values: texts, host names in lower case without a final dot, addresses, or CAA as `issue "ca.example"`. */
  readonly values: readonly string[];
}

/** Asks name servers. No method throws for a failure of DNS: its answers say so. */
export abstract class DomainResolver {
  /** Asks every authoritative server of the zone of the name. Empty when the zone has no known server. */
  abstract askAll(name: string, type: DomainRecordType): Promise<readonly ServerAnswer[]>;

  /** Resolves a name to its addresses of both kinds, as visitors do. `unknown` when one of the kinds was not answered. */
  abstract addressesOf(name: string): Promise<Pick<ServerAnswer, 'outcome' | 'values'>>;
}
