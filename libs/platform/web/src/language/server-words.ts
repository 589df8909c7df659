/** What the server says in English, in another language. */
export interface ServerWords {
  /** By the code of a problem. */
  readonly problems: Readonly<Record<string, { readonly title: string; readonly detail: string }>>;
  /** By the English text: labels and sentences that the API gives out as data. */
  readonly texts: Readonly<Record<string, string>>;
}

let words: ServerWords = { problems: {}, texts: {} };

/** From here on what the server says is shown in these words, where they have it. */
export function useServerWords(known: ServerWords): void {
  words = known;
}

interface ProblemWords {
  readonly title: string;
  readonly detail: string;
}

/** What a problem says in the language of the page: its very words where they are known, or else those of its code. */
export function problemWords({ code, title, detail }: ProblemWords & { readonly code: string }): ProblemWords {
  const known = Object.hasOwn(words.problems, code) ? words.problems[code] : undefined;
  const exact = serverText(detail);
  return { title: known?.title ?? title, detail: exact === detail ? (known?.detail ?? detail) : exact };
}

/** A text of the server in the language of the page, or as it came where there is none. */
export function serverText(text: string): string {
  return Object.hasOwn(words.texts, text) ? (words.texts[text] ?? text) : text;
}
