import type { LogLine } from '@homeport/apps/contracts';

/** Lines in the browser. More would make the page slow. */
export const MAX_LINES = 5_000;

/** The loaded part of a log: consecutive lines, oldest first. */
export interface LogWindow {
  readonly lines: readonly LogLine[];
  /** New lines that are not shown yet, because the person reads older ones. */
  readonly waiting: readonly LogLine[];
  /** How many new lines are not shown, also those that are not loaded any more. */
  readonly waitingCount: number;
  /** Whether the log may have lines before the first one. */
  readonly hasOlder: boolean;
  /** Whether lines after the last one are missing, so that the end of the log has to be read again. */
  readonly isCut: boolean;
  /** The id of the last line that arrived, shown or not. */
  readonly lastId: string | undefined;
}

/** @param lines the last lines of the log. @param hasOlder whether the page was full. */
export function openWindow(lines: readonly LogLine[], hasOlder: boolean): LogWindow {
  return { lines, waiting: [], waitingCount: 0, hasOlder, isCut: false, lastId: lines.at(-1)?.id };
}

/**
 * Adds new lines; lines that arrived before are ignored.
 * @param isFollowing whether to show them at once.
 */
export function appendLines(window: LogWindow, received: readonly LogLine[], isFollowing: boolean): LogWindow {
  const { lastId } = window;
  const added = lastId === undefined ? received : received.filter(({ id }) => isLater(id, lastId));
  if (added.length === 0) return window;
  const next = { ...window, lastId: added.at(-1)?.id };
  if (isFollowing && !window.isCut) return trimStart(next, [...window.lines, ...added]);
  const waiting = window.isCut ? [] : [...window.waiting, ...added];
  const isCut = window.isCut || waiting.length > MAX_LINES;
  return { ...next, isCut, waiting: isCut ? [] : waiting, waitingCount: window.waitingCount + added.length };
}

/**
 * Puts a page of older lines before the others. The newest lines make room for them.
 * @param hasOlder whether the page was full.
 */
export function prependLines(window: LogWindow, older: readonly LogLine[], hasOlder: boolean): LogWindow {
  const lines = [...older, ...window.lines];
  if (lines.length <= MAX_LINES) return { ...window, lines, hasOlder };
  const waitingCount = window.waitingCount + lines.length - MAX_LINES;
  return { ...window, lines: lines.slice(0, MAX_LINES), hasOlder, isCut: true, waiting: [], waitingCount };
}

/** Shows the waiting lines. The window must not be cut. */
export function showWaiting(window: LogWindow): LogWindow {
  if (window.waitingCount === 0) return window;
  return trimStart({ ...window, waiting: [], waitingCount: 0 }, [...window.lines, ...window.waiting]);
}

function trimStart(window: LogWindow, lines: readonly LogLine[]): LogWindow {
  const excess = Math.max(0, lines.length - MAX_LINES);
  return { ...window, lines: lines.slice(excess), hasOlder: window.hasOlder || excess > 0 };
}

/** Ids are decimal numbers that can exceed the safe integers. */
function isLater(id: string, other: string): boolean {
  return id.length === other.length ? id > other : id.length > other.length;
}
