import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const SOFT = 'color-mix(in srgb, var(--accent) 22%, transparent)';

/** The colours of the editor. One theme is enough, because every colour has a light and a dark value. */
const editorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface-1)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { padding: '12px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': {
    border: '0',
    color: 'var(--muted)',
    backgroundColor: 'var(--surface-1)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '40px', padding: '0 8px 0 12px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--text) 4%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--text)', backgroundColor: 'transparent' },
  '.cm-selectionMatch': { backgroundColor: SOFT },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--warn) 30%, transparent)' },
  '.cm-searchMatch.cm-searchMatch-selected': {
    backgroundColor: 'color-mix(in srgb, var(--warn) 45%, transparent)',
    outline: '1px solid var(--warn)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: SOFT },
  '&.cm-focused .cm-nonmatchingBracket': { color: 'var(--danger)', backgroundColor: 'transparent' },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--surface-2)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search, .cm-panel.cm-gotoLine': { padding: '5px 48px 5px 5px', fontFamily: 'var(--font)' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', fontSize: '13px' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { margin: '3px' },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0' },
  '.cm-textfield': {
    minHeight: 'var(--control)',
    padding: '0 var(--space-2)',
    border: '1px solid var(--control-line)',
    borderRadius: '6px',
    color: 'var(--text)',
    backgroundColor: 'var(--page)',
    font: 'inherit',
    fontSize: '13px',
  },
  '.cm-textfield::placeholder': { color: 'var(--muted)', opacity: '1' },
  '.cm-button': {
    minHeight: 'var(--control)',
    padding: '0 var(--space-2-5)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    color: 'var(--text)',
    background: 'var(--surface-3)',
    font: 'inherit',
    fontSize: '13px',
    cursor: 'pointer',
  },
  '.cm-panel button[name=close]': {
    top: 'var(--space-2)',
    right: 'var(--space-2)',
    width: 'var(--control)',
    height: 'var(--control)',
    border: '0',
    color: 'var(--muted)',
    background: 'transparent',
    fontSize: '20px',
    cursor: 'pointer',
  },
  '@media (pointer: coarse)': {
    // iOS zooms into focused fields with a smaller font.
    '&': { fontSize: '16px' },
    '.cm-scroller': { lineHeight: '24px' },
    '.cm-textfield': { fontSize: '16px' },
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'light-dark(#7028c8, #c4a7ff)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'light-dark(#166534, #86e0a3)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'light-dark(#95310b, #ffb37a)' },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: 'light-dark(#1c54a8, #8ab8ff)' },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], color: 'light-dark(#0b645c, #6fd6c9)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'light-dark(#1c54a8, #8ab8ff)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction, tags.contentSeparator], color: 'var(--muted)' },
  { tag: tags.heading, color: 'var(--text)', fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: tags.monospace, color: 'light-dark(#0b645c, #6fd6c9)' },
  { tag: tags.invalid, color: 'var(--danger)' },
]);

export const codeTheme: Extension = [editorTheme, syntaxHighlighting(colours)];
