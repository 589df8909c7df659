import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');
const PROGRAMS = ['apps/{api,edge,runtime}/src/**/*.ts', 'libs/*/server/src/**/*.ts'];
const NOT_RUNNING = /\.(spec|contract)\.ts$|\/testing\//;
/** Of Nest's loggers, `log` writes at the level debug. */
const LOG_CALL = /\blog(?:\??\.(?:info|warn|error|fatal)|\[.*'(?:info|error)'\])$/;

/** @returns the texts of an expression, with `…` for values. */
function textsIn(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')];
  }
  if (ts.isBinaryExpression(node)) return [[node.left, node.right].flatMap(textsIn).join('')];
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(textsIn);
  return [];
}

/** @returns the messages of all calls of a logger. */
function messagesIn(code: string): string[] {
  if (!/\blog(?:\??\.|\[)/.test(code)) return [];
  const source = ts.createSourceFile('source.ts', code, ts.ScriptTarget.Latest);
  const messages: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && LOG_CALL.test(node.expression.getText(source))) {
      const last = node.arguments.at(-1);
      if (last) messages.push(...textsIn(last));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return messages;
}

describe('the log lines in docs/operations.md', () => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const [, section = ''] = page.split('\n## Read the log\n');
  const table = section.split('\n\n').find((part) => part.startsWith('| `msg`')) ?? '';
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '');
  const documented = cells.slice(2).flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
  const files = PROGRAMS.flatMap((pattern) => globSync(pattern, { cwd: root })).filter(
    (file) => !NOT_RUNNING.test(file),
  );
  const written = files.flatMap((file) => messagesIn(readFileSync(join(root, file), 'utf8')));

  it('are found in calls of every form', () => {
    const code =
      "log.info('a'); this.#log.warn({ x }, `b ${x} c`); request.log.error(e, y ? 'd' : 'e'); options.log?.fatal('f'); log[z ? 'error' : 'info']('g' + `h ${i}`); console.log('j')";
    expect(messagesIn(code)).toEqual(['a', 'b … c', 'd', 'e', 'f', 'gh …']);
  });

  it('are those that API, edge and runtime write', () => {
    expect(written.length).toBeGreaterThan(40);
    const patterns = documented.map(
      (text) => new RegExp(`^${text.replaceAll(/[.()[\]]/g, '\\$&').replaceAll('…', '.*')}$`),
    );
    expect(written.filter((message) => !patterns.some((pattern) => pattern.test(message)))).toEqual([]);
    expect(documented.filter((_, at) => !written.some((message) => patterns[at]?.test(message)))).toEqual([]);
  });
});
