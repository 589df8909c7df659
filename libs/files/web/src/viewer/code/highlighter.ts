import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { classHighlighter, highlightCode } from '@lezer/highlight';

/** Longer texts are not highlighted: parsing them would block the page. */
export const MAX_HIGHLIGHTED_LENGTH = 500_000;

export interface LanguageHint {
  /** A language name as in code blocks: "ts", "TypeScript". */
  readonly name?: string;
  /** A file name in this language. */
  readonly file?: string;
}

/** Creates highlighted text as elements; the text is never parsed as HTML. */
export interface Highlighter {
  /** The text between two offsets. */
  fragment(from: number, to: number): DocumentFragment;
  /** The lines between two offsets, each with its line break. */
  lines(from: number, to: number): readonly DocumentFragment[];
}

/**
 * Creates a highlighter for a text. The grammar is loaded on demand.
 * @returns undefined when the language is unknown or the text is too long.
 */
export async function createHighlighter(text: string, { name, file }: LanguageHint): Promise<Highlighter | undefined> {
  if (text.length > MAX_HIGHLIGHTED_LENGTH) return undefined;
  const language =
    (name && LanguageDescription.matchLanguageName(languages, name, false)) ||
    (file && LanguageDescription.matchFilename(languages, file));
  if (!language) return undefined;
  const { language: grammar } = await language.load();
  const tree = grammar.parser.parse(text);
  const lines = (from: number, to: number): DocumentFragment[] => {
    const found = [document.createDocumentFragment()];
    highlightCode(
      text,
      tree,
      classHighlighter,
      (code, classes) => found.at(-1)?.append(classes ? highlightedSpan(code, classes) : code),
      () => {
        found.at(-1)?.append('\n');
        found.push(document.createDocumentFragment());
      },
      from,
      to,
    );
    if (text.charAt(to - 1) === '\n') found.pop();
    return found;
  };
  const fragment = (from: number, to: number): DocumentFragment => {
    const whole = document.createDocumentFragment();
    whole.append(...lines(from, to));
    return whole;
  };
  return { lines, fragment };
}

function highlightedSpan(code: string, classes: string): HTMLSpanElement {
  const span = document.createElement('span');
  span.className = classes;
  span.textContent = code;
  return span;
}
