/** Whether a file is edited as Markdown: with formatting and a preview. */
export function isMarkdown(name: string): boolean {
  return /\.mdx?$/i.test(name);
}
