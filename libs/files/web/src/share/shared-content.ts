/** The content that another app shares, by the fields of the web share target. */
export interface SharedContent {
  readonly title?: string;
  readonly text?: string;
  readonly url?: string;
}

const MAX_NAME_LENGTH = 60;

/** Formats shared content as Markdown: the title as a heading, the text, and the link. */
export function sharedMarkdown({ title = '', text = '', url = '' }: SharedContent): string {
  // Some apps also put the URL into the text.
  const link = url !== '' && !text.includes(url) ? `<${url}>` : '';
  const parts = [title.trim() && `# ${title.trim().replace(/\s+/g, ' ')}`, text.trim(), link];
  return parts
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n');
}

/** A file name made of the title of the shared content. */
export function sharedFileName({ title = '' }: SharedContent): string {
  const words = title
    .replace(/[/\\\p{Cc}]/gu, ' ')
    .trim()
    .replace(/\s+/g, ' ');
  const name = [...words].slice(0, MAX_NAME_LENGTH).join('').trim();
  return `${/^\.*$/.test(name) ? 'shared' : name}.md`;
}
