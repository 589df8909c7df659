import { ɵparseTranslation, ɵsplitBlock } from '@angular/localize';

/** Translations keyed by the English text: `Delete {$name}?`, or `verb|Open` when the text has two meanings. */
export type Catalogue = Readonly<Record<string, string>>;

/** Activates a catalogue for all messages. Messages without a translation stay English. */
export function useCatalogue(catalogue: Catalogue): void {
  $localize.translate = (parts, expressions) => {
    const { meaning, source, names } = messageOf(parts);
    const key = catalogueKey(source, meaning);
    const target = Object.hasOwn(catalogue, key) ? catalogue[key] : undefined;
    if (target === undefined) return [parts, expressions];
    const { messageParts, placeholderNames } = ɵparseTranslation(between(source, target));
    return [messageParts, placeholderNames.map((name) => expressions[names.indexOf(name)])];
  };
}

interface Message {
  readonly meaning: string;
  /** The text with `{$name}` for each expression. */
  readonly source: string;
  readonly names: readonly string[];
}

/** Not Angular's own parser, which also computes an unused digest of every message. */
function messageOf(parts: TemplateStringsArray): Message {
  const [{ text, block = '' }, ...others] = parts.map((part, index) => ɵsplitBlock(part, parts.raw[index] ?? part)) as [
    ReturnType<typeof ɵsplitBlock>,
    ...ReturnType<typeof ɵsplitBlock>[],
  ];
  const names = others.map(({ block: named }, index) => named?.split('@@')[0] ?? (index === 0 ? 'PH' : `PH_${index}`));
  return {
    meaning: block.includes('|') ? block.slice(0, block.indexOf('|')) : '',
    source: others.reduce((source, { text: part }, index) => `${source}{$${names[index]}}${part}`, text),
    names,
  };
}

/** Line breaks in a template do not change its message. */
function catalogueKey(text: string, meaning: string): string {
  const source = text.replace(/[ \n\t]+/g, ' ').trim();
  return meaning === '' ? source : `${meaning}|${source}`;
}

/** Keeps the white space around the source text, which separates it from its neighbors. */
function between(source: string, target: string): string {
  return `${/^[ \n\t]*/.exec(source)?.[0] ?? ''}${target}${/[ \n\t]*$/.exec(source)?.[0] ?? ''}`;
}
