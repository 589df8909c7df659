/**
 * The host name in a text that a person typed or pasted, such as `https://www.acme.com/shop`. The server decides whether
 * it can be added.
 */
export function typedName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#:].*$/, '')
    .replace(/\.$/, '');
}
