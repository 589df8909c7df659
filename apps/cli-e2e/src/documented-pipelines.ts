import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

const DOCUMENT = join(import.meta.dirname, '../../../docs/ci.md');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Workflow {
  readonly on: { readonly push: { readonly branches: readonly string[] } };
  readonly permissions: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

export interface GitLabJob {
  readonly id_tokens: Readonly<Record<string, { readonly aud: string }>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly script: readonly string[];
}

export interface DocumentedPipelines {
  /** The commands that a person runs once. */
  readonly trustCommands: readonly string[];
  readonly github: Workflow;
  readonly gitlab: Readonly<Record<string, GitLabJob>>;
}

/**
 * Reads the code blocks of docs/ci.md.
 * @param values replaces the example values of the document, as a reader does.
 */
export async function documentedPipelines(values: Readonly<Record<string, string>>): Promise<DocumentedPipelines> {
  let text = await readFile(DOCUMENT, 'utf8');
  for (const [example, value] of Object.entries(values)) {
    if (!text.includes(example)) throw new Error(`docs/ci.md does not contain ${example}.`);
    text = text.replaceAll(example, value);
  }
  const blocks = (language: string) => {
    const matches = text.matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\`$`, 'gms'));
    return [...matches].map(([, block = '']) => block);
  };
  const [workflow = '', gitlab = ''] = blocks('yaml');
  const lines = blocks('sh').flatMap((block) => block.split('\n').map((line) => line.trim()));
  return {
    trustCommands: lines.filter((line) => line.startsWith('homeport trusts create')),
    github: parse(workflow) as Workflow,
    gitlab: parse(gitlab) as Record<string, GitLabJob>,
  };
}
