import { destination, type Logger, pino } from 'pino';

/** What a failed statement was called with is people's data, and never belongs into a log. */
const REDACTED = ['err.parameters', 'err.driverError', 'err.cause.parameters', 'err.cause.driverError'];

/** A write for every line costs as much as answering a request. */
const LINES_AT_ONCE_BYTES = 4_096;
const LONGEST_WAIT_MS = 250;

/**
 * The log of the process, on standard output. Lines are written together, within a quarter of a second; from a warning
 * on at once, and what is left when the process ends.
 */
export function openLog(level: string): Logger {
  const output = destination({
    dest: 1,
    sync: false,
    minLength: LINES_AT_ONCE_BYTES,
    periodicFlush: LONGEST_WAIT_MS,
  });
  const { warn } = pino.levels.values;
  return pino(
    {
      level,
      base: { service: 'api' },
      redact: REDACTED,
      hooks: {
        logMethod(args, method, lineLevel) {
          method.apply(this, args);
          if (lineLevel >= (warn ?? 0)) output.flush();
        },
      },
    },
    output,
  );
}
