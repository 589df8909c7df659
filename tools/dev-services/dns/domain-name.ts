const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** Returns the name in lower case without the final dot, or undefined for an invalid host name. */
export function parseDomainName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '');
  const valid = name.length <= 253 && name.split('.').every((label) => LABEL.test(label));
  return valid ? name : undefined;
}

/** Whether `name` is below `domain`; both normalized by `parseDomainName`. */
export function isBelow(name: string, domain: string): boolean {
  return name.endsWith(`.${domain}`);
}
