import type { LogLine } from '@homeport/api-client';

export function logLine({ at, stream, line }: LogLine): string {
  return `${at} ${stream.padEnd('system'.length)} ${line}`;
}
