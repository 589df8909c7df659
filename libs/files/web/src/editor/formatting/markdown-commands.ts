import { EditorSelection, type EditorState, type Line, type StateCommand } from '@codemirror/state';

/** The kinds of lines that the toolbar makes. */
export type LineKind = 'heading' | 'bullets' | 'numbers' | 'tasks' | 'quote';

/** A marker at the start of a line, of any kind. The longest comes first: a task is also a bullet. */
const MARKERS: Readonly<Record<LineKind, RegExp>> = {
  tasks: /^[-*+] \[[ xX]\] /,
  bullets: /^[-*+] (?!\[[ xX]\] )/,
  numbers: /^\d+[.)] /,
  heading: /^#{1,6} /,
  quote: /^> ?/,
};
const INDENT = /^\s*/;

/** Surrounds the selected text, or the word at the cursor, with a mark; removes the mark when it is there already. */
export function toggleMark(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    const change = state.changeByRange(({ from, to, empty }) => {
      const word = empty ? state.wordAt(from) : null;
      const [start, end] = word ? [word.from, word.to] : [from, to];
      const isMarked = isBetween(state, mark, { start, end });
      const at = (position: number) => (isMarked ? position - mark.length : position + mark.length);
      const changes = isMarked
        ? [
            { from: start - mark.length, to: start },
            { from: end, to: end + mark.length },
          ]
        : [
            { from: start, insert: mark },
            { from: end, insert: mark },
          ];
      return { changes, range: EditorSelection.range(at(from), at(to)) };
    });
    dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }));
    return true;
  };
}

/** Whether a text is between two marks, and not between longer ones: `**` is not two times `*`. */
function isBetween(state: EditorState, mark: string, { start, end }: { start: number; end: number }): boolean {
  const before = state.sliceDoc(Math.max(0, start - mark.length), start);
  const after = state.sliceDoc(end, end + mark.length);
  const next = [start - mark.length - 1, end + mark.length].map((at) => (at < 0 ? '' : state.sliceDoc(at, at + 1)));
  return before === mark && after === mark && next.every((character) => character !== mark[0]);
}

/** Makes the selected lines lines of a kind; makes them plain when all are of that kind already. */
export function toggleLines(kind: LineKind): StateCommand {
  return ({ state, dispatch }) => {
    const lines = selectedLines(state);
    const isPlain = lines.every(({ text }) => MARKERS[kind].test(text.trimStart()));
    const changes = lines.map((line, index) => {
      const start = line.from + (INDENT.exec(line.text)?.[0].length ?? 0);
      const marker = markerOf(line.text.trimStart());
      return { from: start, to: start + marker.length, insert: isPlain ? '' : newMarker(kind, index) };
    });
    const set = state.changes(changes);
    const selection = state.selection.map(set, 1);
    dispatch(state.update({ changes: set, selection, scrollIntoView: true, userEvent: 'input' }));
    return true;
  };
}

/** The lines of the selection, without empty ones between others. */
function selectedLines({ doc, selection }: EditorState): readonly Line[] {
  const lines: Line[] = [];
  for (let at = doc.lineAt(selection.main.from).number; at <= doc.lineAt(selection.main.to).number; at += 1)
    lines.push(doc.line(at));
  return lines.length > 1 ? lines.filter(({ text }) => text.trim() !== '') : lines;
}

function markerOf(text: string): string {
  for (const marker of Object.values(MARKERS)) {
    const [found] = marker.exec(text) ?? [];
    if (found) return found;
  }
  return '';
}

function newMarker(kind: LineKind, index: number): string {
  return { heading: '## ', bullets: '- ', numbers: `${index + 1}. `, tasks: '- [ ] ', quote: '> ' }[kind];
}

/** Makes the selected text a link, with the cursor where its address goes; a selected address becomes the target. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main;
  const selected = state.sliceDoc(from, to);
  const isAddress = /^https?:\/\/\S+$/.test(selected);
  const insert = isAddress ? `[](${selected})` : `[${selected}]()`;
  const cursor = from + (isAddress || selected === '' ? 1 : insert.length - 1);
  const selection = EditorSelection.cursor(cursor);
  dispatch(state.update({ changes: { from, to, insert }, selection, scrollIntoView: true, userEvent: 'input' }));
  return true;
};
