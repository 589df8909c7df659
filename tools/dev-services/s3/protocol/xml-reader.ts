import { S3Error } from './errors.ts';

/** An element of a request body. Attributes and namespaces are dropped, because S3 does not need them. */
export interface XmlElement {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

const TOKEN = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([^\s<>/!?]+)([^<>]*?)(\/?)>|([^<]+)/gy;
const REFERENCE = /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(\w+));/g;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Parses a small XML document. Throws MalformedXML, also for
 * DOCTYPE: S3 does not need it, and it allows entity attacks.
 */
export function readXml(source: string): XmlElement {
  const document: XmlElement = { name: '', children: [], text: '' };
  const open: XmlElement[] = [document];
  let position = 0;
  TOKEN.lastIndex = 0;
  for (const match of source.matchAll(TOKEN)) {
    position = match.index + match[0].length;
    const [, literal, closing, name, , selfClosing, text] = match;
    const current = open.at(-1) ?? document;
    if (literal !== undefined) current.text += literal;
    else if (text !== undefined) current.text += resolveReferences(text);
    else if (name !== undefined)
      applyTag(open, { name: localName(name), closes: closing === '/', empty: selfClosing === '/' });
  }
  const root = document.children[0];
  const complete = position === source.length && open.length === 1 && document.children.length === 1;
  if (!complete || !root || document.text.trim() !== '') throw new S3Error('MalformedXML');
  return root;
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** Returns the text of the first child with this name. */
export function textOf(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly empty: boolean;
}

function applyTag(open: XmlElement[], tag: Tag): void {
  const current = open.at(-1);
  if (tag.closes) {
    if (open.length < 2 || current?.name !== tag.name) throw new S3Error('MalformedXML');
    open.pop();
    return;
  }
  const element: XmlElement = { name: tag.name, children: [], text: '' };
  current?.children.push(element);
  if (!tag.empty) open.push(element);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function resolveReferences(text: string): string {
  return text.replace(REFERENCE, (_, hex?: string, decimal?: string, name?: string) => {
    const resolved = name === undefined ? character(hex ? parseInt(hex, 16) : Number(decimal)) : NAMED[name];
    if (resolved === undefined) throw new S3Error('MalformedXML');
    return resolved;
  });
}

/** Rejects lone surrogates: they would create a key that no request can name. */
function character(code: number): string | undefined {
  const valid = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? String.fromCodePoint(code) : undefined;
}
