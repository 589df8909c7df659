const NAMED: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};
// Line breaks and tabs are written as references, because parsers normalise or trim the literal characters.
const UNSAFE = /[<>&"'\u0000-\u001f\u007f]/g;

export function escapeXml(text: string): string {
  return text.replace(UNSAFE, (character) => NAMED[character] ?? `&#${character.charCodeAt(0)};`);
}

/** Builds an element with escaped text. */
export function leaf(name: string, value: string | number | boolean): string {
  return `<${name}>${typeof value === 'string' ? escapeXml(value) : String(value)}</${name}>`;
}

/** Builds a leaf, or an empty string for undefined. */
export function optionalLeaf(name: string, value: string | number | undefined): string {
  return value === undefined ? '' : leaf(name, value);
}

/** Builds an element around XML. */
export function node(name: string, ...children: readonly string[]): string {
  return `<${name}>${children.join('')}</${name}>`;
}

export function xmlDocument(root: string, ...children: readonly string[]): string {
  const body = children.join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${body}</${root}>`;
}

/** S3 errors have no namespace, and some clients look up the elements without one. */
export function errorDocument(...children: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${node('Error', ...children)}`;
}
