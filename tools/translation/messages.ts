import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ɵparseMessage } from '@angular/localize';
import ts from 'typescript';
import { catalogueKey } from './catalogue-key.ts';
import { type Finding, templateMessages, untranslatedIn } from './templates.ts';

export const root = resolve(import.meta.dirname, '../..');

/** All sources with visible text. */
const SOURCES = ['apps/client/src/**/*.{ts,html}', 'libs/*/web/src/**/*.{ts,html}'];
/** Text before Angular starts cannot be translated by Angular; developer pages are in English. */
const NOT_TRANSLATED = /\.spec\.ts$|\/(testing|dev)\/|\/index\.html$/;

/** Message keys, with the files that show each message. */
export type Messages = ReadonlyMap<string, ReadonlySet<string>>;

export interface ExtractedMessages {
  readonly messages: Messages;
  /** Visible text that is not marked for translation, in templates and code. */
  readonly untranslated: readonly Finding[];
  /** Messages read while modules load, before the language is known. */
  readonly early: readonly Finding[];
}

interface Template {
  readonly file: string;
  readonly text: string;
}

/** Extracts every message of the client from its sources. */
export function extractMessages(): ExtractedMessages {
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !NOT_TRANSLATED.test(file))
    .sort();
  const messages = new Map<string, Set<string>>();
  const early: Finding[] = [];
  const templates: Template[] = [];
  const untranslated: Finding[] = [];
  const add = (key: string, file: string): void => void messages.set(key, (messages.get(key) ?? new Set()).add(file));
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    if (file.endsWith('.html')) templates.push({ file, text });
    else {
      const code = readCode(file, text);
      for (const key of code.keys) add(key, file);
      early.push(...code.early);
      untranslated.push(...code.untranslated);
      templates.push(...code.templates);
    }
  }
  for (const { file, text } of templates) for (const key of templateMessages(text, file)) add(key, file);
  untranslated.push(...templates.flatMap(({ file, text }) => untranslatedIn(text, file)));
  return { messages, early, untranslated };
}

interface Code {
  readonly keys: string[];
  readonly early: Finding[];
  readonly untranslated: Finding[];
  readonly templates: Template[];
}

/** Extracts the messages of a TypeScript file and its inline templates. */
export function readCode(file: string, text: string): Code {
  const code: Code = { keys: [], early: [], untranslated: [], templates: [] };
  const visit = (node: ts.Node, isLate: boolean): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === '$localize') {
      const key = messageKey(node.template);
      code.keys.push(key);
      if (!isLate) code.early.push({ file, words: key });
      return spansOf(node.template).forEach(({ expression }) => visit(expression, isLate));
    }
    if (isForDevelopers(node)) return;
    if (isSentence(node)) code.untranslated.push({ file, words: node.text });
    if (isTemplate(node)) code.templates.push({ file, text: node.initializer.text });
    const isLateInside = isLate || ts.isFunctionLike(node) || isInstanceField(node);
    ts.forEachChild(node, (child) => visit(child, isLateInside));
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), false);
  return code;
}

/** Error texts and injection token names are not shown to users. */
function isForDevelopers(node: ts.Node): boolean {
  return ts.isNewExpression(node) && /(Error|InjectionToken)$/.test(node.expression.getText());
}

/** Matches literals, except property names, that start like a sentence of two or more words. */
function isSentence(node: ts.Node): node is ts.LiteralLikeNode {
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
  return isText && !isName(node) && /^[A-Z][a-z’]* [a-z]+/.test(node.text);
}

function isName(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

function isTemplate(node: ts.Node): node is ts.PropertyAssignment & { initializer: ts.StringLiteralLike } {
  return (
    ts.isPropertyAssignment(node) && node.name.getText() === 'template' && ts.isStringLiteralLike(node.initializer)
  );
}

function isInstanceField(node: ts.Node): boolean {
  return ts.isPropertyDeclaration(node) && !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
}

function spansOf(template: ts.TemplateLiteral): readonly ts.TemplateSpan[] {
  return ts.isTemplateExpression(template) ? template.templateSpans : [];
}

function messageKey(template: ts.TemplateLiteral): string {
  const head = ts.isTemplateExpression(template) ? template.head : template;
  const literals = [head, ...spansOf(template).map(({ literal }) => literal)];
  const parts = literals.map(({ text }) => text);
  const raw = literals.map(({ rawText, text }) => rawText ?? text);
  const { text, meaning } = ɵparseMessage(Object.assign(parts, { raw }));
  return catalogueKey(text, meaning);
}
