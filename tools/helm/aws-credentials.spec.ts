import { afterAll, describe, expect, it } from '@jest/globals';
import { canRunHelm, Helm } from './helm.ts';
import { EXAMPLES, LAMBDA } from './installations.ts';
import { containersOf, type KubernetesObject } from './kubernetes-objects.ts';
import { READ_BY_SDK } from './program-configuration.ts';

const helm = canRunHelm ? new Helm() : undefined;
const VALUES = [
  'secret.keys=["AWS_ACCESS_KEY_ID","AWS_SECRET_ACCESS_KEY","RFC2136_KEY_SECRET"]',
  'settings.runtime.AWS_REGION="eu-central-1"',
];

/** The variables of the AWS SDK that each container has. */
function awsVariablesOf(objects: readonly KubernetesObject[]): Record<string, readonly string[]> {
  const settingsOf = (map: string | undefined) =>
    Object.keys(objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === map)?.data ?? {});
  const found = objects
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(containersOf)
    .map(({ name, env, envFrom: [source] }) => {
      const names = [...env.map((each) => each.name), ...settingsOf(source?.configMapRef.name)];
      return [name, names.filter((each) => READ_BY_SDK['runtime']?.includes(each)).toSorted()] as const;
    });
  return Object.fromEntries(found);
}

(helm ? describe : describe.skip)('the keys of AWS in the Helm chart', () => {
  const chart = helm as Helm;
  afterAll(() => chart.close());

  it('are given to the API and to a runtime that uses AWS Lambda', () => {
    const objects = chart.render(EXAMPLES.ingress, [...LAMBDA, ...VALUES]);
    expect(awsVariablesOf(objects)).toEqual(READ_BY_SDK);
  });

  it('are kept from a runtime that uses sandboxes', () => {
    const objects = chart.render(EXAMPLES['edge-tls'], [
      'secret.keys=["AWS_ACCESS_KEY_ID","AWS_SECRET_ACCESS_KEY","RFC2136_KEY_SECRET"]',
    ]);
    expect(awsVariablesOf(objects)).toEqual({
      api: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
      edge: [],
      runtime: [],
    });
  });

  it('are a pair', () => {
    const set = ['secret.keys=["AWS_ACCESS_KEY_ID","RFC2136_KEY_SECRET"]'];
    expect(() => chart.render(EXAMPLES.ingress, set)).toThrow("'/secret/keys': no items match");
  });

  it('have a region for AWS Lambda alone, because Route 53 and CloudFront have one region', () => {
    const set = (program: string, region: string) => [...LAMBDA, `settings.${program}.AWS_REGION="${region}"`];
    const rendering =
      (...values: [string, string]) =>
      () =>
        chart.render(EXAMPLES.ingress, set(...values));
    expect(rendering('runtime', 'Frankfurt')).toThrow('does not match pattern');
    expect(rendering('api', 'eu-central-1')).toThrow("additional properties 'AWS_REGION' not allowed");
  });
});
