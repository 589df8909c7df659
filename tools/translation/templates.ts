import { parseTemplate } from '@angular/compiler';
import { catalogueKey } from './catalogue-key.ts';

export interface Finding {
  readonly file: string;
  readonly words: string;
}

/** Attributes and component inputs with visible or spoken text. */
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
/** Words that are the same in every language. */
const SAME_EVERYWHERE = new Set(['Homeport', 'DNS', 'CNAME', 'API', 'GitHub', '…', 'Ctrl', 'Esc']);

type Node = Readonly<Record<string, unknown>>;

/** Returns the keys of all messages in a template. */
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
 * Normalizes a message like the compiler: placeholder names have letters, digits and underscores; inside a plural,
 * where Angular and not `$localize` fills them in, they have no dollar sign.
 */
function compiled(message: string): string {
  const named = message.replaceAll(/\{\$[^}]+\}/g, (placeholder) => placeholder.replaceAll(/[^\w{$}]/g, '_'));
  return named.startsWith('{VAR_') ? named.replaceAll('{$', '{') : named;
}

/** Returns the texts of a template that are shown untranslated. */
export function untranslatedIn(template: string, file: string): Finding[] {
  const words: string[] = [];
  const visit = (value: unknown, isMarked: boolean): void => {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, isMarked));
    if (!isNode(value)) return;
    if (!isMarked) words.push(...ownWords(value));
    const isMarkedInside = isMarked || isMessage(value['i18n']);
    for (const name of CHILDREN) visit(value[name], isMarkedInside);
    // Each attribute has its own i18n mark.
    for (const name of ['attributes', 'inputs']) visit(value[name], false);
  };
  visit(parsed(template, file), false);
  return words.filter(isForReading).map((each) => ({ file, words: each.trim() }));
}

const NO_TEXT = /[sS]pan$|^(condition|args|key|receiver|source|strings)$/;

/** The properties of template nodes that contain child nodes. */
const CHILDREN = ['children', 'branches', 'cases', 'groups', 'empty', 'placeholder', 'loading', 'error'];

function parsed(template: string, file: string): unknown[] {
  const { nodes, errors } = parseTemplate(template, file, { enableI18nLegacyMessageIdFormat: false });
  if (errors?.length) throw new Error(`${file}: ${errors[0]?.msg}`);
  return nodes;
}

/** Returns static text, literals in shown expressions, and visible attributes. */
function ownWords(node: Node): string[] {
  const { name, value } = node;
  if (typeof name === 'string' && 'keySpan' in node && !isElement(node)) {
    if (!READ.has(name)) return [];
    // Angular sets a property of this name, which elements do not have: use [attr.aria-label] and `$localize` instead.
    if (isMessage(node['i18n'])) return name.startsWith('aria-') && typeof value !== 'string' ? literalsIn(value) : [];
    return typeof value === 'string' ? [value] : literalsIn(value);
  }
  if (typeof value === 'string' && !isElement(node)) return [value];
  return isNode(value) && 'ast' in value ? literalsIn(value['ast']) : [];
}

function isElement(node: Node): boolean {
  return 'children' in node;
}

/** Returns the literals that an expression can evaluate to; ignores operands of comparisons, keys and arguments. */
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
