// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Draft } from '../drafts/draft';
import type { EditableFile } from './editable-file';
import { EditState } from './edit-state';
import { storedText } from './text-encoding';

const file = (text: string, etag: string): EditableFile => ({
  text: storedText(text),
  etag,
  contentType: 'text/plain',
  modifiedAt: null,
});
const draft = (text: string, base?: string): Draft => ({
  ...{ id: '1', key: 'a', text, encoding: 'utf-8', marked: false, writtenAt: 1 },
  ...(base !== undefined && { base }),
});

let state: EditState;

beforeEach(() => {
  state = new EditState();
});

/** Types a text into the editor. */
const type = (text: string): void => state.buffer.edit(text);

describe('EditState', () => {
  it('has unsaved changes only while the text differs from the file', () => {
    state.startEditing(file('one', '"1"'));
    expect([state.phase().kind, state.isDirty(), state.draftOf('a')]).toEqual(['editing', false, undefined]);
    type('two');
    expect(state.isDirty()).toBe(true);
    expect(state.draftOf('a')).toMatchObject({ key: 'a', text: 'two', base: '"1"' });
    type('one');
    expect([state.isDirty(), state.draftOf('a')]).toEqual([false, undefined]);
  });

  it('does not show typed text in the editor again', () => {
    state.startEditing(file('one', '"1"'));
    type('two');
    expect([state.buffer.editorText(), state.buffer.text()]).toEqual(['one', 'two']);
  });

  it('stores no draft of a new file without text', () => {
    state.create();
    expect([state.isNew(), state.isDirty(), state.draftOf('a')]).toEqual([true, true, undefined]);
    type('text');
    expect(state.draftOf('a')).toEqual({ key: 'a', text: 'text', encoding: 'utf-8', marked: false });
  });

  it('keeps text that was typed during a save', () => {
    state.startEditing(file('one', '"1"'));
    type('two');
    const saved = state.buffer.stored();
    type('two and more');
    state.markSaved(saved, { etag: '"2"', contentType: 'text/plain' });
    expect([state.base().etag, state.isDirty(), state.buffer.text()]).toEqual(['"2"', true, 'two and more']);
  });

  it('keeps the line breaks of the file', () => {
    state.startEditing(file('one\r\ntwo', '"1"'));
    type('one\ntwo\nthree');
    expect(state.buffer.stored().exact).toBe('one\r\ntwo\r\nthree');
  });

  it('shows the typed text in a conflict, and restores it after their version was taken', () => {
    state.startEditing(file('one', '"1"'));
    type('mine');
    state.enterConflict(file('theirs', '"2"'));
    expect([state.phase().kind, state.buffer.editorText()]).toEqual(['conflict', 'mine']);
    const undo = state.snapshot();
    state.startEditing(file('theirs', '"2"'));
    expect([state.buffer.text(), state.isDirty()]).toEqual(['theirs', false]);
    undo();
    expect([state.phase().kind, state.buffer.editorText(), state.base().etag]).toEqual(['conflict', 'mine', '"1"']);
  });

  it('keeps a merged text when the same conflict is reported again', () => {
    state.startEditing(file('one', '"1"'));
    state.enterConflict(file('theirs', '"2"'));
    type('merged');
    state.enterConflict(file('theirs', '"2"'));
    expect(state.buffer.editorText()).toBe('one');
    state.enterConflict(file('theirs again', '"3"'));
    expect(state.buffer.editorText()).toBe('merged');
  });

  it('restores a draft, also while the file itself is unknown', () => {
    state.restore(draft('typed', '"1"'), file('one', '"1"'));
    expect([state.isDirty(), state.restored()?.getTime(), state.base().etag]).toEqual([true, 1, '"1"']);
    state.reset();
    state.restoreWithoutFile(draft('typed', '"1"'));
    expect([state.isNew(), state.buffer.text(), state.base().etag]).toEqual([false, 'typed', '"1"']);
  });

  it('discards changes, and closes a file that was deleted', () => {
    state.restore(draft('typed', '"1"'), file('one', '"1"'));
    state.discard();
    expect([state.phase().kind, state.buffer.editorText(), state.restored()]).toEqual(['editing', 'one', undefined]);
    type('two');
    state.enterConflict(undefined);
    expect(state.phase()).toEqual({ kind: 'conflict' });
    state.discardDeleted();
    expect([state.phase().kind, state.isNew(), state.draftOf('a')]).toEqual(['absent', true, undefined]);
  });
});
