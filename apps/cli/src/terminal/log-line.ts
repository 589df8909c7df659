import type { LogLine } from '@homeport/api-client';
import { printable } from './printable';

export function logLine({ at, stream, line }: LogLine): string {
  return `${at} ${stream.padEnd('system'.length)} ${printable(line)}`;
}
