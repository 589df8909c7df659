import { ɵparseTranslation, ɵsplitBlock } from '@angular/localize';

/** Translations by their English source: `Delete {$name}?`, or `verb|Open` where the source alone has two meanings. */
export type Catalogue = Readonly<Record<string, string>>;

/** From here on every message is shown as the catalogue has it. What it does not have stays English. */
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
  /** With `{$name}` for each expression. */
  readonly source: string;
  readonly names: readonly string[];
}

/** Angular's own reader computes a digest of every message, which nobody needs here. */
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

/** How templates are broken into lines is no part of what they say. */
function catalogueKey(text: string, meaning: string): string {
  const source = text.replace(/[ \n\t]+/g, ' ').trim();
  return meaning === '' ? source : `${meaning}|${source}`;
}

/** The space before and after a text separates it from its neighbours, in every language. */
function between(source: string, target: string): string {
  return `${/^[ \n\t]*/.exec(source)?.[0] ?? ''}${target}${/[ \n\t]*$/.exec(source)?.[0] ?? ''}`;
}
