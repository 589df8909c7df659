/** Translations of the English messages of the server. */
export interface ServerMessages {
  /** By problem code. */
  readonly problems: Readonly<Record<string, { readonly title: string; readonly detail: string }>>;
  /**
   * By English text: labels and sentences that the API returns as data. A placeholder such as `{$name}` stands for a
   * value; the value of `{$reason}` is itself a text of the server and is translated too.
   */
  readonly texts: Readonly<Record<string, string>>;
}

let serverMessages: ServerMessages = { problems: {}, texts: {} };

/** A text with placeholders. */
interface TextTemplate {
  readonly key: string;
  readonly pattern: RegExp;
}

let templates: readonly TextTemplate[] = [];
const PLACEHOLDER = /\{\$(\w+)\}/;

/** Activates translations for messages of the server; other messages stay English. */
export function useServerMessages(translation: ServerMessages): void {
  serverMessages = translation;
  templates = Object.keys(translation.texts).filter(hasPlaceholder).map(templateOf);
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

/** Translates a text of the server, also with values in it; unknown texts stay English. */
export function translateServerText(text: string): string {
  const { texts } = serverMessages;
  if (Object.hasOwn(texts, text)) return texts[text] ?? text;
  for (const { key, pattern } of templates) {
    const { groups } = pattern.exec(text) ?? {};
    if (groups) return insertValues(texts[key] ?? key, groups);
  }
  return text;
}

function insertValues(translation: string, values: Readonly<Record<string, string>>): string {
  return translation.replaceAll(new RegExp(PLACEHOLDER, 'g'), (placeholder, name: string) => {
    const value = values[name] ?? placeholder;
    return name === 'reason' ? translateServerText(value) : value;
  });
}

function hasPlaceholder(key: string): boolean {
  return PLACEHOLDER.test(key);
}

/** Builds the pattern that finds the values. A value may contain quotation marks and line breaks, as file names do. */
function templateOf(key: string): TextTemplate {
  const parts = key.split(new RegExp(PLACEHOLDER, 'g'));
  const pattern = parts
    .map((part, index) => (index % 2 === 0 ? part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : `(?<${part}>.+)`))
    .join('');
  return { key, pattern: new RegExp(`^${pattern}$`, 's') };
}
