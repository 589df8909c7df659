import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { codePhrases } from './code-phrases';
import { codeTheme } from './code-theme';

/** How long Tab leaves the editor after Escape. */
const TAB_FOCUS_MODE_MS = 10_000;

export interface CodeSetup {
  /** The accessible name of the text. */
  readonly label: string;
  /** The id of an element that explains how to leave the editor with the keyboard. */
  readonly helpId?: string;
  /** Called when Escape has switched Tab to leave the editor. */
  readonly onTabFocusMode: () => void;
}

/** The extensions of every editor. */
export function codeSetup({ label, helpId, onTabFocusMode }: CodeSetup): Extension {
  const leave = (view: EditorView): boolean => {
    view.setTabFocusMode(TAB_FOCUS_MODE_MS);
    onTabFocusMode();
    return true;
  };
  return [
    baseSetup(label, helpId),
    history(),
    dropCursor(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    // Escape first closes the search panel and clears selections; only then it switches Tab to leave the editor.
    keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, { key: 'Escape', run: leave }, indentWithTab]),
  ];
}

/** The extensions of every text, editable or read-only. */
export function baseSetup(label: string, helpId?: string): Extension {
  return [
    lineNumbers(),
    highlightSpecialChars(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      tabindex: '0',
      'aria-label': label,
      ...(helpId && { 'aria-describedby': helpId }),
    }),
    EditorState.phrases.of(codePhrases()),
    codeTheme,
  ];
}

/** The language of a file by its name; undefined when it is unknown or could not be loaded. */
export async function languageOf(name: string): Promise<Extension | undefined> {
  try {
    // MDX is highlighted as Markdown.
    return await LanguageDescription.matchFilename(languages, name.replace(/\.mdx$/i, '.md'))?.load();
  } catch {
    return undefined;
  }
}
