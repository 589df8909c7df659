/** A column of a table. */
export interface TableColumn {
  readonly heading: string;
  readonly isNumeric: boolean;
  /** In characters. */
  readonly width: number;
}

const NUMBER = /^[-+−]?(?:\d+(?:[.,' \u00a0\u202f]\d+)*|[.,]\d+)(?:[eE][-+]?\d+)?\s?%?$/;
const MIN_WIDTH = 4;
const MAX_WIDTH = 40;

/** Derives the columns of a table from its headings and a sample of its records. */
export function tableColumns(
  headings: readonly string[],
  sample: readonly (readonly string[])[],
): readonly TableColumn[] {
  const count = sample.reduce((most, cells) => Math.max(most, cells.length), headings.length);
  return Array.from({ length: count }, (_, index) => {
    const heading = headings[index] ?? '';
    const cells = sample.map((each) => each[index]?.trim() ?? '').filter((cell) => cell !== '');
    const longest = cells.reduce((most, { length }) => Math.max(most, length), heading.length);
    return {
      heading,
      isNumeric: cells.length > 0 && cells.every((cell) => NUMBER.test(cell)),
      width: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, longest)),
    };
  });
}
