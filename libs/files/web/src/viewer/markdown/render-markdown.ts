import { Marked } from 'marked';
import markedAlert from 'marked-alert';
import markedFootnote from 'marked-footnote';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { mathSyntax } from './math-syntax';
import { mdxSyntax } from './mdx-syntax';

export type MarkdownFlavour = 'md' | 'mdx';

/** Renders GitHub Flavored Markdown as HTML. The HTML is not safe: the file may contain any tag. */
export function renderMarkdown(text: string, flavour: MarkdownFlavour): string {
  // A new instance per text, because it counts the footnotes.
  const marked = new Marked({ gfm: true }, markedFootnote(), markedAlert(), gfmHeadingId(), mathSyntax);
  if (flavour === 'mdx') marked.use(mdxSyntax);
  return marked.parse(text, { async: false });
}
