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
  /** What the text is called for those who do not see it. */
  readonly label: string;
  /** The id of an element that says how to leave it with the keyboard. */
  readonly helpId?: string;
  /** Called when Tab has been made to leave. */
  readonly onTabFocusMode: () => void;
}

/** What every text of ours is edited with. */
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
    // Escape closes the search panel and drops selections first; only then does it make Tab leave.
    keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, { key: 'Escape', run: leave }, indentWithTab]),
  ];
}

/** What a text looks like, whether it is edited or only shown. */
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

/** The language of a file by its name; undefined when nobody knows it or its rules could not be loaded. */
export async function languageOf(name: string): Promise<Extension | undefined> {
  try {
    // MDX is Markdown as far as colours go.
    return await LanguageDescription.matchFilename(languages, name.replace(/\.mdx$/i, '.md'))?.load();
  } catch {
    return undefined;
  }
}
