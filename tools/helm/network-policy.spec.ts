import { afterAll, describe, expect, it } from '@jest/globals';
import { canRunHelm, Helm } from './helm.ts';
import { EXAMPLES, LAMBDA } from './installations.ts';
import type { KubernetesObject } from './kubernetes-objects.ts';

const helm = canRunHelm ? new Helm() : undefined;

interface Rule {
  readonly ports: readonly { readonly protocol: string; readonly port: number }[];
  readonly from?: readonly object[];
}

/** The ports of each policy that everyone, the clients (`from`) or the monitoring may reach. */
function portsOf(objects: readonly KubernetesObject[]): Record<string, readonly unknown[]> {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  return Object.fromEntries(
    policies.map(({ metadata, spec }) => [
      metadata.name,
      (spec?.['ingress'] as readonly Rule[]).map(({ ports, from }) => [ports.map(({ port }) => port), from ?? 'all']),
    ]),
  );
}

const PROMETHEUS = [{ podSelector: { matchLabels: { app: 'prometheus' } } }];
const MONITORING = `networkPolicy.monitoring=${JSON.stringify(PROMETHEUS)}`;
const PROXY = [{ podSelector: { matchLabels: { app: 'proxy' } } }];

(helm ? describe : describe.skip)('the network policies of the Helm chart', () => {
  const chart = helm as Helm;
  afterAll(() => chart.close());

  it('open the public ports to the clients, and the management ports to nothing', () => {
    const set = [`networkPolicy.clients=${JSON.stringify(PROXY)}`];
    expect(portsOf(chart.render(EXAMPLES.ingress, set))).toEqual({
      'homeport-api': [[[3000], PROXY]],
      'homeport-edge': [[[8080], PROXY]],
    });
  });

  it('open the management ports of all programs to the monitoring', () => {
    const set = ['networkPolicy.clients=[]', MONITORING];
    expect(portsOf(chart.render(EXAMPLES['edge-tls'], set))).toEqual({
      'homeport-api': [
        [[3000], 'all'],
        [[9090], PROMETHEUS],
      ],
      'homeport-edge': [
        [[8080, 8443], 'all'],
        [[9091, 9092], PROMETHEUS],
      ],
    });
  });

  it('open the port of the runtime also when it uses AWS Lambda', () => {
    const { 'homeport-edge': rules } = portsOf(chart.render(EXAMPLES.ingress, [...LAMBDA, MONITORING]));
    expect(rules?.[1]).toEqual([[9091, 9092], PROMETHEUS]);
  });
});
