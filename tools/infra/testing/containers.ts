import { allOf, type Json, type Resource, textOf } from './synthesis.ts';

export interface Container {
  readonly Name: string;
  readonly Essential: boolean;
  readonly User?: string;
  readonly Image: Json;
  readonly Environment?: readonly { readonly Name: string; readonly Value: Json }[];
  readonly Secrets?: readonly { readonly Name: string; readonly ValueFrom: Json }[];
  readonly ReadonlyRootFilesystem?: boolean;
  readonly LinuxParameters?: { readonly Capabilities: { readonly Drop: readonly string[] } };
  readonly StopTimeout?: number;
  readonly RestartPolicy?: { readonly Enabled: boolean };
  readonly DependsOn?: readonly { readonly ContainerName: string; readonly Condition: string }[];
  readonly MountPoints: readonly { readonly ContainerPath: string; readonly ReadOnly: boolean }[];
}

export function containersOf(resources: Readonly<Record<string, Resource>>): readonly Container[] {
  return allOf(resources, 'AWS::ECS::TaskDefinition').flatMap(
    ({ Properties: { ContainerDefinitions } }) => ContainerDefinitions as unknown as Container[],
  );
}

/** Contents of the secrets, by their place in the templates or their name. */
const SECRETS: readonly [RegExp, string][] = [
  [/DatabaseUrl/, 'postgresql://homeport:secret@db.internal:5432/homeport?sslmode=verify-full'],
  [/ClientSecret/, 'client-secret'],
  [/session-keys/, Buffer.alloc(32, 1).toString('base64')],
  [/secrets-keys/, `1:${Buffer.alloc(32, 2).toString('base64')}`],
];

/** Stands for values that AWS fills in. */
function filledIn(value: Json): string {
  return textOf(value)
    .replace(/<Distribution[^>]*>/, 'd111111abcdef8.cloudfront.net')
    .replaceAll(/<[^>]*>/g, (found) => found.replaceAll(/\W/g, ''));
}

/** The environment that a container gets, as its program reads it. @throws {Error} for an unknown secret. */
export function environmentOf({ Environment = [], Secrets = [] }: Container): Record<string, string> {
  const contentOf = (source: string) => {
    const [, content] = SECRETS.find(([name]) => name.test(source)) ?? [];
    if (content === undefined) throw new Error(`${source} is unknown`);
    return content;
  };
  return Object.fromEntries([
    ...Environment.map(({ Name, Value }) => [Name, filledIn(Value)]),
    ...Secrets.map(({ Name, ValueFrom }) => [Name, contentOf(textOf(ValueFrom))]),
  ]) as Record<string, string>;
}
