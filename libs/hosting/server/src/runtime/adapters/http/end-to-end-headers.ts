/** Header fields that concern one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Selects the header fields that a proxy forwards.
 * @param raw alternating names and values.
 * @param isDropped tells by its name, in lower case, whether a further field is left out.
 * @returns alternating names and values.
 */
export function endToEndHeaders(raw: readonly string[], isDropped: (name: string) => boolean): string[] {
  const named = namesInConnection(raw);
  const kept: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named?.includes(lower) && !isDropped(lower))
      kept.push(name, raw[index + 1] as string);
  }
  return kept;
}

/** The fields that `Connection` names concern one connection as well. */
function namesInConnection(raw: readonly string[]): string[] | undefined {
  let names: string[] | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]?.length !== 10 || raw[index]?.toLowerCase() !== 'connection') continue;
    const listed = (raw[index + 1] as string).split(',').map((name) => name.trim().toLowerCase());
    // These frame the message or name its target, so no client may remove them.
    names = [...(names ?? []), ...listed.filter((name) => name !== 'content-length' && name !== 'host')];
  }
  return names;
}
