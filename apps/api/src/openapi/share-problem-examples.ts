import type { OpenAPIObject } from '@nestjs/swagger';

const PROBLEM_JSON = 'application/problem+json';

type Examples = Record<string, { readonly value: unknown } | { readonly $ref: string }>;
type MediaTypes = Record<string, { readonly schema?: unknown; readonly examples?: Examples }>;

/**
 * Moves the examples of problems into the components, one for each code, because hundreds of responses have the same
 * ones.
 */
export function shareProblemExamples(document: OpenAPIObject): OpenAPIObject {
  const shared: Record<string, { readonly value: unknown }> = {};
  const share = (content: MediaTypes): MediaTypes => {
    const problem = content[PROBLEM_JSON];
    if (problem?.examples === undefined) return content;
    const references = Object.entries(problem.examples).map(([code, example]) => {
      if ('value' in example) shared[code] ??= example;
      return [code, { $ref: `#/components/examples/${code}` }];
    });
    return { ...content, [PROBLEM_JSON]: { ...problem, examples: Object.fromEntries(references) as Examples } };
  };
  const paths = mapContents(document.paths, share);
  const byCode = Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...document, paths, components: { ...document.components, examples: Object.fromEntries(byCode) } };
}

/** Replaces the value of each `content` in a tree. */
function mapContents<T>(node: T, change: (content: MediaTypes) => MediaTypes): T {
  if (Array.isArray(node)) return node.map((each: unknown) => mapContents(each, change)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    key === 'content' ? change(value as MediaTypes) : mapContents(value as unknown, change),
  ]);
  return Object.fromEntries(entries) as T;
}
