import { EditorState, type StateCommand } from '@codemirror/state';
import { describe, expect, it } from '@jest/globals';
import { insertLink, toggleLines, toggleMark } from './markdown-commands';

/** Runs a command on a text, in which `|` marks the cursor or both ends of the selection. */
function run(command: StateCommand, text: string): string {
  const anchor = text.indexOf('|');
  const head = text.lastIndexOf('|') - (text.lastIndexOf('|') > anchor ? 1 : 0);
  const state = EditorState.create({ doc: text.replaceAll('|', ''), selection: { anchor, head } });
  let after = state;
  command({ state, dispatch: (transaction) => (after = transaction.state) });
  const { from, to } = after.selection.main;
  const doc = after.doc.toString();
  return from === to
    ? `${doc.slice(0, from)}|${doc.slice(from)}`
    : `${doc.slice(0, from)}|${doc.slice(from, to)}|${doc.slice(to)}`;
}

describe('toggleMark', () => {
  it.each([
    ['**', 'a |bold| word', 'a **|bold|** word'],
    ['**', 'a **|bold|** word', 'a |bold| word'],
    ['**', 'a bo|ld word', 'a **bo|ld** word'],
    ['**', 'a **bo|ld** word', 'a bo|ld word'],
    ['**', 'a | word', 'a **|** word'],
    ['*', '**|bold|**', '***|bold|***'],
    ['*', '*|word|*', '|word|'],
    ['`', '|code|', '`|code|`'],
  ])('%s: %s → %s', (mark, before, after) => {
    expect(run(toggleMark(mark), before)).toBe(after);
  });
});

describe('toggleLines', () => {
  it.each([
    ['heading', 'Tit|le', '## Tit|le'],
    ['heading', '### Tit|le', 'Tit|le'],
    ['bullets', '|one\n\ntwo|', '- |one\n\n- two|'],
    ['bullets', '- |one\n- two|', '|one\ntwo|'],
    ['bullets', '- [x] do|ne', '- do|ne'],
    ['numbers', '- |one\n- two|', '1. |one\n2. two|'],
    ['tasks', '  - on|e', '  - [ ] on|e'],
    ['tasks', '- [x] do|ne', 'do|ne'],
    ['quote', '|', '> |'],
  ] as const)('%s: %j → %j', (kind, before, after) => {
    expect(run(toggleLines(kind), before)).toBe(after);
  });
});

describe('insertLink', () => {
  it.each([
    ['see |the plan|', 'see [the plan](|)'],
    ['see |', 'see [|]()'],
    ['|https://example.com/a|', '[|](https://example.com/a)'],
  ])('%s → %s', (before, after) => {
    expect(run(insertLink, before)).toBe(after);
  });
});
