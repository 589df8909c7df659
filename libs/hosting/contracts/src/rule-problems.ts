export interface RuleProblem {
  readonly path: '_redirects' | '_headers';
  readonly line: number;
  readonly reason: string;
}

export interface RuleLine {
  /** From 1. */
  readonly number: number;
  /** Trimmed; neither empty nor a comment. */
  readonly text: string;
}

const MAX_PROBLEMS = 100;

/** Collects the problems of a rule file, line by line. Invalid lines are skipped; the others apply. */
export class RuleProblems {
  readonly #found: RuleProblem[] = [];

  constructor(
    private readonly path: RuleProblem['path'],
    private readonly lineLength: number,
  ) {}

  get found(): readonly RuleProblem[] {
    return this.#found;
  }

  add(line: number, reason: string): void {
    if (this.#found.length < MAX_PROBLEMS) this.#found.push({ path: this.path, line, reason });
    else if (this.#found.length === MAX_PROBLEMS)
      this.#found.push({ path: this.path, line, reason: 'There are more problems from here on.' });
  }

  /** @returns the lines, without empty lines, comments and lines that are too long. */
  linesOf(text: string): RuleLine[] {
    const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
    return lines.flatMap((raw, index) => {
      const line = raw.trim();
      if (line === '' || line.startsWith('#')) return [];
      if (line.length <= this.lineLength) return [{ number: index + 1, text: line }];
      this.add(index + 1, `The line is longer than ${this.lineLength.toLocaleString('en')} characters.`);
      return [];
    });
  }
}
