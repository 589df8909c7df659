const LINES = 200;

/**
 * A text cut into runs of lines. Each becomes a box of its own, and the browser lays out only those on the screen:
 * megabytes of text open at once.
 */
export function textBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = blockEnd(text, start);
    // The last line break is the end of the box itself.
    blocks.push(text.slice(start, end < text.length || text.endsWith('\n') ? end - 1 : end));
    start = end;
  }
  return blocks;
}

function blockEnd(text: string, start: number): number {
  let end = start;
  for (let line = 0; line < LINES; line += 1) {
    const at = text.indexOf('\n', end);
    if (at === -1) return text.length;
    end = at + 1;
  }
  return end;
}
