import { Marked } from 'marked';
import markedAlert from 'marked-alert';
import markedFootnote from 'marked-footnote';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { mathSyntax } from './math-syntax';
import { mdxSyntax } from './mdx-syntax';

export type MarkdownFlavour = 'md' | 'mdx';

/** Markdown, as GitHub reads it, as HTML. The HTML is not safe: the file may hold any tag it likes. */
export function renderMarkdown(text: string, flavour: MarkdownFlavour): string {
  // One for each text: footnotes are counted in it.
  const marked = new Marked({ gfm: true }, markedFootnote(), markedAlert(), gfmHeadingId(), mathSyntax);
  if (flavour === 'mdx') marked.use(mdxSyntax);
  return marked.parse(text, { async: false });
}
