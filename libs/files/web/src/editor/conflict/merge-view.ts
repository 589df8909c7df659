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
  /** Your side as it is by now. */
  text(): string;
  close(): void;
}

const UNCHANGED = { margin: 3, minSize: 6 };

/** Side by side, for wide screens: theirs to read and take from, yours to edit. */
export function openSideBySide(parent: HTMLElement, sides: MergeViewOptions): MergeViewHandle {
  const view = new MergeView({
    parent,
    a: {
      doc: sides.theirs,
      extensions: [baseSetup(sides.theirsLabel), sides.language, mergeTheme, EditorState.readOnly.of(true)],
    },
    b: { doc: sides.yours, extensions: [editableSide(sides), mergeTheme] },
    revertControls: 'a-to-b',
    renderRevertControl: () => control('→', $localize`Take this part of theirs`),
    collapseUnchanged: UNCHANGED,
    gutter: true,
  });
  return { text: () => view.b.state.doc.toString(), close: () => view.destroy() };
}

/** One below the other, for narrow screens: your text, with what only they have between its lines. */
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
          const button = control(words, words);
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

function control(words: string, label: string): HTMLButtonElement {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: words });
  button.setAttribute('aria-label', label);
  button.title = label;
  return button;
}
