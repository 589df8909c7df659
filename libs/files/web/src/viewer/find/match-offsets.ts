/** The text to search at once; longer texts are searched in slices, between which the page stays responsive. */
const SLICE_LENGTH = 512 * 1024;

export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
}

/**
 * Finds all matches of a query, which cannot contain line breaks.
 *
 * @returns the offsets of the matches in ascending order. Every match is as long as the query.
 */
export async function matchOffsets(text: string, query: FindQuery, signal?: AbortSignal): Promise<readonly number[]> {
  const offsets: number[] = [];
  if (query.text === '') return offsets;
  const pattern = patternOf(query);
  let from = 0;
  while (from < text.length) {
    signal?.throwIfAborted();
    const to = sliceEnd(text, from);
    pattern.lastIndex = 0;
    const slice = text.slice(from, to);
    for (let match = pattern.exec(slice); match; match = pattern.exec(slice)) offsets.push(from + match.index);
    from = to;
    if (from < text.length) await nextTask();
  }
  return offsets;
}

/** Lets the page handle input and draw before the work continues. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function patternOf({ text, matchCase }: FindQuery): RegExp {
  // Unlike with `toLowerCase`, offsets stay those of the text: `i` with `u` folds single code points.
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), matchCase ? 'gu' : 'giu');
}

/** The end of a slice, after a line break if there is one. */
function sliceEnd(text: string, from: number): number {
  if (text.length - from <= SLICE_LENGTH) return text.length;
  const end = text.indexOf('\n', from + SLICE_LENGTH);
  return end === -1 ? text.length : end + 1;
}
