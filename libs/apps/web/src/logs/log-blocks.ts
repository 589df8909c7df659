import type { LogLine, LogStream } from '@homeport/apps/contracts';

/** Which of the loaded lines are shown. */
export interface LogFilter {
  /** Undefined for all streams. */
  readonly stream: LogStream | undefined;
  /** Text that lines contain, in any case; empty for all lines. */
  readonly text: string;
}

/** A part of a line; matches are highlighted. */
export interface LinePart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Consecutive lines that the browser lays out together, only while they are near the visible part. */
export interface LogBlock {
  /** Differs for each day, so that a day begins with a block. */
  readonly key: string;
  readonly lines: readonly LogLine[];
}

const BLOCK_SIZE = 100;
/** Escape sequences of terminals, such as colors. */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g;

export function textOf({ line }: Pick<LogLine, 'line'>): string {
  return line.includes('\x1b') ? line.replace(ESCAPES, '') : line;
}

export function filterLines(lines: readonly LogLine[], { stream, text }: LogFilter): readonly LogLine[] {
  const wanted = text.toLowerCase();
  if (stream === undefined && wanted === '') return lines;
  return lines.filter(
    (line) => (stream === undefined || line.stream === stream) && textOf(line).toLowerCase().includes(wanted),
  );
}

/**
 * Divides lines into blocks by their ids, so that older and newer lines change no other block. An unchanged block is the
 * same object as before.
 */
export function blocksOf(lines: readonly LogLine[], before: readonly LogBlock[] = []): readonly LogBlock[] {
  const known = new Map(before.map((block) => [block.key, block]));
  const blocks = Map.groupBy(
    lines,
    ({ id, at }) => `${Math.floor(Number(id) / BLOCK_SIZE)} ${new Date(at).toDateString()}`,
  );
  return [...blocks].map(([key, own]) => {
    const former = known.get(key);
    return former && isSame(former.lines, own) ? former : { key, lines: own };
  });
}

function isSame(some: readonly LogLine[], others: readonly LogLine[]): boolean {
  return some.length === others.length && some.every((line, index) => line === others[index]);
}

/** Divides a text at the matches of a search. */
export function partsOf(text: string, search: string): readonly LinePart[] {
  if (search === '') return [{ text, isMatch: false }];
  const pattern = new RegExp(`(${search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')})`, 'gi');
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter(({ text: part }) => part !== '');
}

/** Lines as text for the clipboard: time, stream and text. */
export function plainText(lines: readonly LogLine[]): string {
  return lines.map((line) => `${line.at} ${line.stream} ${textOf(line)}`).join('\n');
}
