export interface Finding {
  /** A fault does not add up. A note explains something that an operator may ask about. */
  readonly severity: 'fault' | 'note';
  /** Such as `northwind 2026-11`. */
  readonly subject: string;
  /** One or several sentences. */
  readonly problem: string;
}

export function fault(subject: string, problem: string): Finding {
  return { severity: 'fault', subject, problem };
}

export function note(subject: string, problem: string): Finding {
  return { severity: 'note', subject, problem };
}
