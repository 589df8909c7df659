import { parseTemplate } from '@angular/compiler';
import { catalogueKey } from './messages.ts';

export interface Finding {
  readonly file: string;
  readonly words: string;
}

/** Attributes, and inputs of our own pieces, that are read by people. */
const READ = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'heading',
  'label',
  'note',
  'placeholder',
  'text',
  'title',
  'what',
]);
/** The same in every language. */
const SAME_EVERYWHERE = new Set(['Homeport', 'DNS', 'CNAME', 'API', 'GitHub', '…', 'Ctrl', 'Esc']);

type Node = Readonly<Record<string, unknown>>;

/** The keys of all messages in a template. */
export function templateMessages(template: string, file: string): string[] {
  const found = new Map<object, string>();
  const visit = (value: unknown, seen: Set<object>): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { messageString, meaning } = value as Node;
    if (typeof messageString === 'string')
      found.set(value, catalogueKey(compiled(messageString), String(meaning ?? '')));
    for (const [name, child] of Object.entries(value)) if (!/[sS]pan$/.test(name)) visit(child, seen);
  };
  visit(parsed(template, file), new Set());
  return [...new Set(found.values())];
}

/**
 * The message as the compiler writes it: names of placeholders have letters, digits and underscores, and inside a
 * plural, where Angular fills them in and not `$localize`, they have no dollar.
 */
function compiled(message: string): string {
  const named = message.replaceAll(/\{\$[^}]+\}/g, (placeholder) => placeholder.replaceAll(/[^\w{$}]/g, '_'));
  return named.startsWith('{VAR_') ? named.replaceAll('{$', '{') : named;
}

/** Words of a template that are shown as they are, in whatever language the page is. */
export function untranslatedIn(template: string, file: string): Finding[] {
  const words: string[] = [];
  const visit = (value: unknown, isMarked: boolean): void => {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, isMarked));
    if (!isNode(value)) return;
    if (!isMarked) words.push(...ownWords(value));
    const isMarkedInside = isMarked || isMessage(value['i18n']);
    for (const name of CHILDREN) visit(value[name], isMarkedInside);
    // Each attribute is marked by itself.
    for (const name of ['attributes', 'inputs']) visit(value[name], false);
  };
  visit(parsed(template, file), false);
  return words.filter(isForReading).map((each) => ({ file, words: each.trim() }));
}

const NO_TEXT = /[sS]pan$|^(condition|args|key|receiver|source|strings)$/;

/** Where a template keeps what is inside: elements, branches of blocks, cases. */
const CHILDREN = ['children', 'branches', 'cases', 'groups', 'empty', 'placeholder', 'loading', 'error'];

function parsed(template: string, file: string): unknown[] {
  const { nodes, errors } = parseTemplate(template, file, { enableI18nLegacyMessageIdFormat: false });
  if (errors?.length) throw new Error(`${file}: ${errors[0]?.msg}`);
  return nodes;
}

/** Static text, literals of shown expressions, and attributes that are read. */
function ownWords(node: Node): string[] {
  const { name, value } = node;
  if (typeof name === 'string' && 'keySpan' in node && !isElement(node)) {
    if (!READ.has(name)) return [];
    // Angular sets a property of this name, which elements do not have: it takes [attr.aria-label] and `$localize`.
    if (isMessage(node['i18n'])) return name.startsWith('aria-') && typeof value !== 'string' ? literalsIn(value) : [];
    return typeof value === 'string' ? [value] : literalsIn(value);
  }
  if (typeof value === 'string' && !isElement(node)) return [value];
  return isNode(value) && 'ast' in value ? literalsIn(value['ast']) : [];
}

function isElement(node: Node): boolean {
  return 'children' in node;
}

/** The literals that an expression can come to; what is compared, looked up or handed on is no text yet. */
function literalsIn(expression: unknown): string[] {
  if (Array.isArray(expression)) return expression.flatMap(literalsIn);
  if (!isNode(expression)) return [];
  const { value, operation, strings, text } = expression;
  if (typeof value === 'string') return [value];
  if (typeof text === 'string') return [text];
  if (typeof operation === 'string' && /^([!=]==?|[<>]=?)$/.test(operation)) return [];
  const literals = Array.isArray(strings) ? strings.filter((each) => typeof each === 'string') : [];
  const inside = Object.entries(expression).filter(([name]) => !NO_TEXT.test(name));
  return [...literals, ...inside.flatMap(([, child]) => literalsIn(child))];
}

function isForReading(words: string): boolean {
  return /\p{L}{2}/u.test(words) && !SAME_EVERYWHERE.has(words.trim());
}

function isMessage(value: unknown): boolean {
  return isNode(value) && typeof value['messageString'] === 'string';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
