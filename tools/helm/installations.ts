import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART, type Helm } from './helm.ts';
import type { KubernetesObject } from './kubernetes-objects.ts';

const exampleOf = (name: string) => readFileSync(join(CHART, 'examples', `${name}.yaml`), 'utf8');

/** The values that come with the chart, by name. */
export const EXAMPLES = { ingress: exampleOf('ingress'), 'edge-tls': exampleOf('edge-tls') };
export const LAMBDA = [
  'runtime.type="lambda"',
  'settings.runtime={"RUNTIME_TENANCY":"hostile","AWS_ACCOUNT_ID":"123456789012"}',
  'images.runtime="registry.example.com/homeport-runtime:0.1.0"',
];

/** The objects of the examples, and of one with the runtime on AWS Lambda. */
export function renderAll(helm: Helm): Record<string, KubernetesObject[]> {
  return {
    ingress: helm.render(EXAMPLES.ingress),
    'edge-tls': helm.render(EXAMPLES['edge-tls']),
    lambda: helm.render(EXAMPLES.ingress, LAMBDA),
  };
}
