/** Translations of the English messages of the server. */
export interface ServerMessages {
  /** By problem code. */
  readonly problems: Readonly<Record<string, { readonly title: string; readonly detail: string }>>;
  /** By English text: labels and sentences that the API returns as data. */
  readonly texts: Readonly<Record<string, string>>;
}

let serverMessages: ServerMessages = { problems: {}, texts: {} };

/** Activates translations for messages of the server; other messages stay English. */
export function useServerMessages(translation: ServerMessages): void {
  serverMessages = translation;
}

interface ProblemMessage {
  readonly title: string;
  readonly detail: string;
}

/** Translates a problem: by its exact text if possible, else by its code. */
export function translateProblem({ code, title, detail }: ProblemMessage & { readonly code: string }): ProblemMessage {
  const translation = Object.hasOwn(serverMessages.problems, code) ? serverMessages.problems[code] : undefined;
  const exact = translateServerText(detail);
  return { title: translation?.title ?? title, detail: exact === detail ? (translation?.detail ?? detail) : exact };
}

/** Translates a text of the server; unknown texts stay English. */
export function translateServerText(text: string): string {
  return Object.hasOwn(serverMessages.texts, text) ? (serverMessages.texts[text] ?? text) : text;
}
