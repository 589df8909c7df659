import { type Json, type Properties, type Resource, textOf } from './synthesis.ts';

interface Policy {
  readonly PolicyDocument: { readonly Statement: readonly Properties[] };
}

const asList = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];

/** One line for each statement of a role: effect, actions, resources, conditions. */
export function linesOf(statements: readonly Properties[]): string[] {
  return statements.map(({ Effect, Action, Resource: resource, Condition }) => {
    const actions = asList(Action).map(textOf).sort().join(' ');
    const resources = asList(resource).map(nameless).sort().join(' ');
    return `${textOf(Effect)} ${actions} on ${resources}${Condition ? ` if ${JSON.stringify(Condition)}` : ''}`;
  });
}

/** Removes the hashes that the CDK appends to names. */
function nameless(value: Json): string {
  return textOf(value)
    .replaceAll(/(?<=<[\w:]*?)[0-9A-F]{8}(?=[.>])/g, '')
    .replaceAll(/ExportsOutput(?:Ref|FnGetAtt)(\w+?)[0-9A-F]{8}\w*/g, '$1');
}

/** All statements of the roles whose id begins with a text, of their inline and of their attached policies. */
export function statementsOf(resources: Readonly<Record<string, Resource>>, role: string): string[] {
  return Object.entries(resources)
    .filter(([id, { Type }]) => id.startsWith(role) && /^AWS::IAM::(?:Policy|Role)$/.test(Type))
    .flatMap(([, { Type, Properties: properties }]) =>
      Type === 'AWS::IAM::Policy'
        ? [properties as unknown as Policy]
        : asList(properties['Policies']).map((policy) => policy as unknown as Policy),
    )
    .flatMap(({ PolicyDocument }) => linesOf(PolicyDocument.Statement));
}
