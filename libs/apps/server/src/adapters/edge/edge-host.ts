/** Where a request wants to go, by the host it names. */
export type ParsedHost =
  /** Below the platform domain; without a label when it is so deep that no site can be there. */
  | { readonly kind: 'site'; readonly label: string | undefined }
  /** Any other: this instance itself, for who looks after it. */
  | { readonly kind: 'elsewhere' };

const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i;
const ADDRESS = /^\[[0-9a-f:.]{2,45}\]$/i;

/**
 * Reads the header field `Host`, in any case, with or without a port and a dot behind it.
 * @param domain the platform domain. @returns undefined when it is no host.
 */
export function parseHost(host: string, domain: string): ParsedHost | undefined {
  const name = host.replace(/:\d{0,5}$/, '').replace(/\.$/, '');
  if (!NAME.test(name)) return ADDRESS.test(name) ? { kind: 'elsewhere' } : undefined;
  // Only now, when it is made of letters that all machines lower alike.
  const lower = name.toLowerCase();
  if (!lower.endsWith(`.${domain}`)) return { kind: 'elsewhere' };
  const label = lower.slice(0, -domain.length - 1);
  return { kind: 'site', label: label.includes('.') ? undefined : label };
}
