import { SetupFailed } from '../errors.ts';

/** Where the embedded DNS server is controlled. */
export interface DnsControl {
  readonly EMBEDDED_DNS_URL?: string;
  readonly EMBEDDED_DNS_TOKEN?: string;
}

/**
 * Sets the records of a type at a name, as an organization does at its own DNS provider. No values remove them.
 * @throws {SetupFailed} the server refused them.
 */
export async function setOwnRecord(
  control: DnsControl,
  name: string,
  type: string,
  values: readonly string[],
): Promise<void> {
  const url = `${control.EMBEDDED_DNS_URL}/practice/${encodeURIComponent(name)}/${type}`;
  const headers = { authorization: `Bearer ${control.EMBEDDED_DNS_TOKEN}` };
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(values) });
  if (response.status !== 204) throw new SetupFailed(`The DNS server refused ${type} ${name}: ${response.status}.`);
}
