import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from './cli.errors';

const PROJECT_FILE = 'homeport.json';
/** `homeport.schema.json` describes them for editors. */
const FIELDS = ['app', 'directory'];
const SCHEMA_FIELD = '$schema';

export interface Project {
  /** Id, subdomain or name of the app. */
  readonly app?: string;
  /** Absolute path of the folder to deploy. */
  readonly directory?: string;
}

/** Reads `homeport.json` of this folder or of the nearest parent; empty without one. @throws {UsageError} when malformed. */
export async function readProject(folder: string): Promise<Project> {
  const path = join(folder, PROJECT_FILE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return parseProject(path, text);
  const parent = dirname(folder);
  return parent === folder ? {} : readProject(parent);
}

function parseProject(path: string, text: string): Project {
  const value = parseJson(path, text);
  for (const [name, content] of Object.entries(value)) {
    if (![...FIELDS, SCHEMA_FIELD].includes(name))
      throw new UsageError(`${path}: "${name}" is unknown. Use ${FIELDS.join(', ')}.`);
    if (typeof content !== 'string' || content === '') throw new UsageError(`${path}: "${name}" is not a text.`);
  }
  const { app, directory } = value as Record<string, string>;
  return {
    ...(app !== undefined && { app }),
    ...(directory !== undefined && { directory: resolve(dirname(path), directory) }),
  };
}

function parseJson(path: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError(`${path} is not a JSON object.`);
}
