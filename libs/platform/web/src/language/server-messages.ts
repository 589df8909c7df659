/** What the server says in English, in another language. */
export interface ServerMessages {
  /** By the code of a problem. */
  readonly problems: Readonly<Record<string, { readonly title: string; readonly detail: string }>>;
  /** By the English text: labels and sentences that the API gives out as data. */
  readonly texts: Readonly<Record<string, string>>;
}

let serverMessages: ServerMessages = { problems: {}, texts: {} };

/** From here on what the server says is shown in these words, where they have it. */
export function useServerMessages(known: ServerMessages): void {
  serverMessages = known;
}

interface ProblemMessage {
  readonly title: string;
  readonly detail: string;
}

/** What a problem says in the language of the page: its very words where they are known, or else those of its code. */
export function translateProblem({ code, title, detail }: ProblemMessage & { readonly code: string }): ProblemMessage {
  const known = Object.hasOwn(serverMessages.problems, code) ? serverMessages.problems[code] : undefined;
  const exact = translateServerText(detail);
  return { title: known?.title ?? title, detail: exact === detail ? (known?.detail ?? detail) : exact };
}

/** A text of the server in the language of the page, or as it came where there is none. */
export function translateServerText(text: string): string {
  return Object.hasOwn(serverMessages.texts, text) ? (serverMessages.texts[text] ?? text) : text;
}
