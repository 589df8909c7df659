const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** Lower case without the final dot, or undefined for what is no host name. */
export function parseDomainName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '');
  const valid = name.length <= 253 && name.split('.').every((label) => LABEL.test(label));
  return valid ? name : undefined;
}

/** Whether `name` lies below `domain`; both in the form of `parseDomainName`. */
export function isBelow(name: string, domain: string): boolean {
  return name.endsWith(`.${domain}`);
}
