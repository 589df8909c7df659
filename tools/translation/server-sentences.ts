import ts from 'typescript';

/** Reads the sentences in a server file that it returns to people. A placeholder `{}` stands for each inserted value. */
export function serverSentences(file: string, text: string): string[] {
  const sentences: string[] = [];
  const visit = (node: ts.Node): void => {
    const words = wordsOf(node);
    if (words !== undefined && /^["A-Z{].* .*[.]$/s.test(words)) sentences.push(words);
    // The parts of a text are no texts.
    if (words === undefined || ts.isTemplateExpression(node)) ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return sentences;
}

function wordsOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [wordsOf(node.left), wordsOf(node.right)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

/** Whether the catalogue translates a sentence of the server with any values in it, alone or after another sentence. */
export function isTranslated(sentence: string, texts: Readonly<Record<string, string>>): boolean {
  const escaped = sentence.split('{}').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(`^(?:\\{\\$reason\\} )?${escaped.join('.+')}$`, 's');
  return Object.keys(texts).some((text) => pattern.test(text));
}
