import { DomainError, type FieldProblem } from '@homeport/kernel';

/** How many rejected entries a response names. */
export const MAX_REPORTED_ENTRIES = 50;
const MAX_NAME_LENGTH = 120;

/** The name of an entry in a form that is safe to show: an archive may contain any characters. */
export function printableName(name: string): string {
  const start = name.slice(0, MAX_NAME_LENGTH + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD');
  // The cut may split a surrogate pair.
  return start.length > MAX_NAME_LENGTH ? `${start.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : start;
}

function messageOf(problems: readonly FieldProblem[], count: number): string {
  const [first] = problems;
  if (!first) return 'The archive was refused.';
  const what = first.field === 'archive' ? first.reason : `"${first.field}": ${first.reason}`;
  return count > 1 ? `The archive has ${count} problems. The first: ${what}` : what;
}

/** An uploaded archive is rejected. `fields` names the rejected entries, or `archive` for the archive as a whole. */
export class ArchiveRejected extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'apps.archive-rejected';
  override readonly fields: readonly FieldProblem[];

  /** @param unnamed how many more entries were rejected than `problems` names. */
  constructor(problems: readonly FieldProblem[], unnamed = 0, options?: ErrorOptions) {
    super(messageOf(problems, problems.length + unnamed), options);
    const rest = { field: 'archive', reason: `${unnamed} more entries were rejected.` };
    this.fields = unnamed > 0 ? [...problems, rest] : problems;
  }

  /** Rejects the archive as a whole. */
  static forArchive(reason: string, cause?: unknown): ArchiveRejected {
    return new ArchiveRejected([{ field: 'archive', reason }], 0, { cause });
  }

  static forEntry(name: string, reason: string): ArchiveRejected {
    return new ArchiveRejected([{ field: printableName(name), reason }]);
  }
}
