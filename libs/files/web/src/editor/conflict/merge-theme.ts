import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const theirs = (percent: number): string => `color-mix(in srgb, var(--warn) ${percent}%, transparent)`;
const yours = (percent: number): string => `color-mix(in srgb, var(--ok) ${percent}%, transparent)`;

/** The colours of both sides. Differences are also marked at the edge, for users who cannot distinguish the colours. */
export const mergeTheme: Extension = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: theirs(10) },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: yours(10) },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: theirs(26) },
  '&.cm-merge-b .cm-changedText': { background: yours(26) },
  '.cm-insertedLine, .cm-deletedLine, .cm-deletedLine del': { textDecoration: 'none' },
  '.cm-changeGutter': { width: '4px', paddingLeft: '0' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--warn)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
  '.cm-collapsedLines': {
    padding: 'var(--space-1-5) var(--space-3)',
    color: 'var(--muted)',
    background: 'var(--surface-2)',
    fontFamily: 'var(--font)',
    fontSize: '13px',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: "''", margin: '0' },
  '.cm-deletedChunk': { padding: '0 0 var(--space-1)' },
  '.cm-deletedChunk .cm-chunkButtons': {
    position: 'static',
    display: 'flex',
    gap: 'var(--space-2)',
    padding: 'var(--space-1-5) var(--space-2)',
    fontFamily: 'var(--font)',
  },
  '.cm-deletedChunk .cm-chunkButtons button': {
    margin: '0',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    color: 'var(--text)',
    background: 'var(--surface-2)',
    font: 'inherit',
    fontSize: '13px',
  },
  '.cm-deletedChunk .cm-deletedLine': { padding: '0 var(--space-3) 0 var(--space-2)' },
});
