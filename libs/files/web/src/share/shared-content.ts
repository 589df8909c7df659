/** What another app hands over to be kept. */
export interface SharedContent {
  readonly title?: string;
  readonly text?: string;
  readonly url?: string;
}

const LONGEST_NAME = 60;

/** A Markdown file of what was shared: its title as a heading, its words, and where it is from. */
export function sharedMarkdown({ title = '', text = '', url = '' }: SharedContent): string {
  // Some apps put the address into the text as well.
  const link = url !== '' && !text.includes(url) ? `<${url}>` : '';
  const parts = [title.trim() && `# ${title.trim().replace(/\s+/g, ' ')}`, text.trim(), link];
  return parts
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n');
}

/** A name for the file of what was shared, by its title. */
export function sharedFileName({ title = '' }: SharedContent): string {
  const words = title
    .replace(/[/\\\p{Cc}]/gu, ' ')
    .trim()
    .replace(/\s+/g, ' ');
  const name = [...words].slice(0, LONGEST_NAME).join('').trim();
  return `${/^\.*$/.test(name) ? 'shared' : name}.md`;
}
