/** The destination of a request, by its host. */
export type ParsedHost =
  /** Below the platform domain. `label` is undefined when the host has too many labels for a site. */
  | { readonly kind: 'site'; readonly label: string | undefined }
  /** Any other host: the instance itself, for operators. */
  | { readonly kind: 'elsewhere' };

const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i;
const ADDRESS = /^\[[0-9a-f:.]{2,45}\]$/i;

/**
 * Parses the header field `Host`, in any case, with or without a port and a trailing dot.
 * @param domain the platform domain.
 * @returns undefined when it is not a valid host.
 */
export function parseHost(host: string, domain: string): ParsedHost | undefined {
  const name = host.replace(/:\d{0,5}$/, '').replace(/\.$/, '');
  if (!NAME.test(name)) return ADDRESS.test(name) ? { kind: 'elsewhere' } : undefined;
  // Lower-cased only after the ASCII check: Unicode case mapping could turn other characters into ASCII.
  const lower = name.toLowerCase();
  if (!lower.endsWith(`.${domain}`)) return { kind: 'elsewhere' };
  const label = lower.slice(0, -domain.length - 1);
  return { kind: 'site', label: label.includes('.') ? undefined : label };
}
