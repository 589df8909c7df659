import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '..');
export const EXAMPLE = JSON.parse(readFileSync(join(folder, 'homeport.example.json'), 'utf8')) as Record<
  string,
  unknown
>;
const STACKS = ['HomeportBase', 'HomeportGlobal', 'Homeport'] as const;

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Properties = Readonly<Record<string, Json>>;

export interface Resource {
  readonly Type: string;
  readonly Properties: Properties;
  readonly DeletionPolicy?: string;
}

export interface Acknowledgment {
  readonly id: string;
  readonly reason: string;
}

/** What a synthesis writes. */
export interface Synthesis {
  readonly resources: Readonly<Record<(typeof STACKS)[number], Readonly<Record<string, Resource>>>>;
  readonly acknowledgments: readonly Acknowledgment[];
  /** Types of uploaded files: `file` for files, `docker` for images. */
  readonly assets: readonly string[];
  /** What must be looked up in an account. */
  readonly lookups: readonly unknown[];
}

/**
 * Runs the program as `cdk deploy` does, in a separate process: loading the CDK in Jest takes longer.
 * @param changes settings other than those of the example.
 * @param comparesSchemas also compares the resources with the schemas of CloudFormation, which takes most of the time.
 * @throws {Error} when a check finds something, with the output of the program.
 */
export function synthesise(changes: Readonly<Record<string, unknown>> = {}, comparesSchemas = false): Synthesis {
  const work = mkdtempSync(join(tmpdir(), 'homeport-infra-'));
  try {
    writeFileSync(join(work, 'homeport.json'), JSON.stringify({ ...EXAMPLE, ...changes }));
    writeFileSync(join(work, 'database-ca.pem'), CERTIFICATE);
    execFileSync(process.execPath, [join(folder, 'main.ts')], {
      cwd: work,
      env: { CDK_OUTDIR: join(work, 'out'), CDK_VALIDATION: String(comparesSchemas) },
      stdio: 'pipe',
    });
    return read(join(work, 'out'));
  } finally {
    rmSync(work, { recursive: true });
  }
}

export const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

function read(out: string): Synthesis {
  const json = (file: string) => JSON.parse(readFileSync(join(out, file), 'utf8')) as Record<string, never>;
  const entries = STACKS.map((stack) => [stack, json(`${stack}.template.json`)['Resources']] as const);
  const metadata = STACKS.flatMap((stack) => Object.values(json(`${stack}.metadata.json`)).flat()) as {
    type: string;
    data?: unknown;
  }[];
  const assets = STACKS.flatMap((stack) => {
    const { files = {}, dockerImages = {} } = json(`${stack}.assets.json`) as Record<string, object>;
    return [...Object.keys(files).map(() => 'file'), ...Object.keys(dockerImages).map(() => 'docker')];
  });
  return {
    resources: Object.fromEntries(entries) as unknown as Synthesis['resources'],
    acknowledgments: metadata
      .filter(({ type }) => type === 'aws:cdk:acknowledged-rules')
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ id: id.replace(/^Annotation::/, ''), reason })),
    assets,
    lookups: (json('manifest.json') as { missing?: readonly unknown[] }).missing ?? [],
  };
}

/** All resources of a type, of one stack. */
export function allOf(resources: Readonly<Record<string, Resource>>, type: string): readonly Resource[] {
  return Object.values(resources).filter(({ Type }) => Type === type);
}

/** The only resource of a type. @throws {Error} when there is another number of them. */
export function onlyOf(resources: Readonly<Record<string, Resource>>, type: string): Resource {
  const [found, ...others] = allOf(resources, type);
  if (!found || others.length > 0) throw new Error(`${type}: ${others.length + (found ? 1 : 0)} resources`);
  return found;
}

/** A value of a template as text: references become the names of what they refer to, in `<>`. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map((each) => textOf(each as Json)).join('');
  const [[kind, argument] = ['', '']] = Object.entries(value);
  if (kind === 'Fn::Join') return (argument as Json[][])[1]?.map(textOf).join('') ?? '';
  if (kind === 'Ref' || kind === 'Fn::ImportValue')
    return argument === 'AWS::Partition' ? 'aws' : `<${textOf(argument)}>`;
  if (kind === 'Fn::GetAtt') return `<${(argument as string[]).join('.')}>`;
  return JSON.stringify(value);
}
