import { DomainError } from '@homeport/platform/server';
import type { FieldProblem } from '@homeport/platform/contracts';

/** How many entries an answer names. */
export const MAX_REPORTED_ENTRIES = 50;
const MAX_NAME_LENGTH = 120;

/** The name of an entry as it can be shown: whoever made the archive chose its characters. */
export function printableName(name: string): string {
  const start = name.slice(0, MAX_NAME_LENGTH + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD');
  // Cut in the middle of a character it would be no text.
  return start.length > MAX_NAME_LENGTH ? `${start.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : start;
}

function messageOf(problems: readonly FieldProblem[], count: number): string {
  const [first] = problems;
  if (!first) return 'The archive was refused.';
  const what = first.field === 'archive' ? first.reason : `"${first.field}": ${first.reason}`;
  return count > 1 ? `The archive has ${count} problems. The first: ${what}` : what;
}

/** An uploaded archive that is not published: its fields name the entries at fault, or `archive` for all of it. */
export class ArchiveRejected extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'apps.archive-rejected';
  override readonly fields: readonly FieldProblem[];

  /** @param unnamed how many entries are at fault besides. */
  constructor(problems: readonly FieldProblem[], unnamed = 0, options?: ErrorOptions) {
    super(messageOf(problems, problems.length + unnamed), options);
    const rest = { field: 'archive', reason: `${unnamed} more entries are at fault.` };
    this.fields = unnamed > 0 ? [...problems, rest] : problems;
  }

  /** The archive as a whole is at fault. */
  static forArchive(reason: string, cause?: unknown): ArchiveRejected {
    return new ArchiveRejected([{ field: 'archive', reason }], 0, { cause });
  }

  static forEntry(name: string, reason: string): ArchiveRejected {
    return new ArchiveRejected([{ field: printableName(name), reason }]);
  }
}
