export interface Finding {
  /** A fault does not add up. A note explains something that an operator may ask about. */
  readonly severity: 'fault' | 'note';
  /** Such as `northwind 2026-11`. */
  readonly subject: string;
  /** One or several sentences. */
  readonly text: string;
}

export function fault(subject: string, text: string): Finding {
  return { severity: 'fault', subject, text };
}

export function note(subject: string, text: string): Finding {
  return { severity: 'note', subject, text };
}
