import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { codeSetup, type CodeSetup, baseSetup } from '../code-setup';
import { mergeTheme } from './merge-theme';

export interface MergeViewOptions {
  readonly theirs: string;
  readonly yours: string;
  readonly theirsLabel: string;
  readonly setup: CodeSetup;
  readonly language: Extension;
  readonly edited: (text: string) => void;
}

export interface MergeViewHandle {
  /** The current text of the editable side. */
  text(): string;
  close(): void;
}

const UNCHANGED = { margin: 3, minSize: 6 };

/** Side by side, for wide screens: their version is read-only, yours is editable. */
export function openSideBySide(parent: HTMLElement, sides: MergeViewOptions): MergeViewHandle {
  const view = new MergeView({
    parent,
    a: {
      doc: sides.theirs,
      extensions: [baseSetup(sides.theirsLabel), sides.language, mergeTheme, EditorState.readOnly.of(true)],
    },
    b: { doc: sides.yours, extensions: [editableSide(sides), mergeTheme] },
    revertControls: 'a-to-b',
    renderRevertControl: () => controlButton('→', $localize`Take this part of theirs`),
    collapseUnchanged: UNCHANGED,
    gutter: true,
  });
  return { text: () => view.b.state.doc.toString(), close: () => view.destroy() };
}

/** In one column, for narrow screens: your text, with their differing lines in between. */
export function openUnified(parent: HTMLElement, sides: MergeViewOptions): MergeViewHandle {
  const view = new EditorView({
    parent,
    doc: sides.yours,
    extensions: [
      editableSide(sides),
      unifiedMergeView({
        original: sides.theirs,
        collapseUnchanged: UNCHANGED,
        mergeControls: (type, action) => {
          const words = type === 'accept' ? $localize`Keep my part` : $localize`Take their part`;
          const button = controlButton(words, words);
          button.className = 'button small';
          button.addEventListener('click', action);
          return button;
        },
      }),
      mergeTheme,
    ],
  });
  return { text: () => view.state.doc.toString(), close: () => view.destroy() };
}

function editableSide({ setup, language, edited }: MergeViewOptions): Extension {
  return [
    codeSetup(setup),
    language,
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) edited(state.doc.toString());
    }),
  ];
}

function controlButton(words: string, label: string): HTMLButtonElement {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: words });
  button.setAttribute('aria-label', label);
  button.title = label;
  return button;
}
