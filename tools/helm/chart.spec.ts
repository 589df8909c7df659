import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { canRunHelm, CHART, Helm } from './helm.ts';
import { EXAMPLES, renderAll } from './installations.ts';
import { type Container, containersOf, type KubernetesObject, podOf } from './kubernetes-objects.ts';
import { configurationOf, READ_BY_SDK } from './program-configuration.ts';

const textOf = (path: string) => readFileSync(resolve(CHART, path), 'utf8');
const SECRET = /SECRET|TOKEN|KEYS$|^DATABASE_URL$|ACCESS_KEY|_EAB_/;
/** Requests in progress get 25 s; processes end within 4 s after that. */
const DRAIN_SECONDS = 29;
/** An accepted value of each secret variable. */
const KEY = `${'A'.repeat(43)}=`;
const secretValue = (name: string) =>
  ({ DATABASE_URL: 'postgres://db/homeport', SECRETS_KEYS: `1:${KEY}` })[name] ?? KEY;

const helm = canRunHelm ? new Helm() : undefined;
const rendered = helm ? renderAll(helm) : {};

// Helm's package has the program for one kind of machine; continuous integration has it.
(helm ? describe : describe.skip)('the Helm chart', () => {
  const chart = helm as Helm;
  afterAll(() => chart.close());

  it.each(Object.entries(EXAMPLES))('passes the strict linter with the example %s', (_, values) => {
    expect(chart.lint(values)).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  it.each(Object.keys(rendered))(
    'gives programs a valid configuration, without secrets in ConfigMaps (%s)',
    async (key) => {
      for (const container of objectsOf(key, 'Deployment').flatMap(containersOf)) {
        const { known, load } = await configurationOf(container.name);
        const [{ configMapRef } = { configMapRef: { name: '' } }] = container.envFrom;
        const map = objectsOf(key, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name);
        const plain = map?.data ?? {};
        const secrets = container.env.map(({ name }) => name);
        const isRead = (name: string) => [...known, ...(READ_BY_SDK[container.name] ?? [])].includes(name);
        expect([...Object.keys(plain), ...secrets].filter((name) => !isRead(name))).toEqual([]);
        expect(Object.keys(plain).filter((name) => SECRET.test(name) && !name.endsWith('KEY_NAME'))).toEqual([]);
        expect(secrets.filter((name) => !SECRET.test(name))).toEqual([]);
        const values = Object.fromEntries(secrets.map((name) => [name, secretValue(name)]));
        const image: Record<string, string> = container.name === 'runtime' ? { NODE_ENV: 'production' } : {};
        expect(() => load({ ...image, ...plain, ...values })).not.toThrow();
        for (const { name, valueFrom } of container.env)
          expect(valueFrom.secretKeyRef).toEqual({ name: 'homeport', key: name });
      }
    },
  );

  it('gives every key of the Secret to a program', () => {
    const keys = secretKeysOf(textOf('values.schema.json'));
    const deployments = chart.render(EXAMPLES.ingress, [`secret.keys=${JSON.stringify(keys)}`]).filter(isDeployment);
    const given = new Set(deployments.flatMap(containersOf).flatMap(({ env }) => env.map(({ name }) => name)));
    expect(keys.filter((name) => !given.has(name))).toEqual([]);
  });

  it('keeps usage that waits for PostgreSQL in a volume of the pod, or in a claim', () => {
    const key = Object.keys(EXAMPLES)[0] as keyof typeof EXAMPLES;
    const volumeOf = (objects: readonly KubernetesObject[]) => {
      const api = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-api'));
      return podOf(api as KubernetesObject).spec.volumes?.find(({ name }) => name === 'usage');
    };
    expect(volumeOf(rendered[key] ?? [])).toEqual({ name: 'usage', emptyDir: { sizeLimit: '256Mi' } });
    const claimed = chart.render(EXAMPLES[key], ['api.usage.claim="homeport-usage"']);
    expect(volumeOf(claimed)).toEqual({ name: 'usage', persistentVolumeClaim: { claimName: 'homeport-usage' } });
  });

  it('keeps the keys of sessions from edge and runtime', () => {
    const containers = Object.keys(rendered).flatMap((key) => objectsOf(key, 'Deployment').flatMap(containersOf));
    const withKeys = containers.filter(({ env }) => env.some(({ name }) => name === 'SESSION_KEYS'));
    expect([...new Set(withKeys.map(({ name }) => name))]).toEqual(['api']);
  });

  it.each(Object.keys(rendered))('denies all containers what they do not need (%s)', (key) => {
    for (const deployment of objectsOf(key, 'Deployment')) {
      expect(podOf(deployment).spec.automountServiceAccountToken).toBe(false);
      for (const { name, securityContext } of containersOf(deployment)) {
        const isSandboxing = name === 'runtime' && key === 'edge-tls';
        expect(securityContext).toEqual(isSandboxing ? SANDBOXING : RESTRICTED);
        if (isSandboxing) expect(podOf(deployment).spec.hostUsers).toBe(false);
        else expect(podOf(deployment).spec.hostUsers === false).toBe(key === 'edge-tls' && name === 'edge');
      }
    }
  });

  it.each(Object.keys(rendered))('replaces instances one by one, after their requests (%s)', (key) => {
    for (const deployment of objectsOf(key, 'Deployment')) {
      const { strategy } = deployment.spec as { strategy: { rollingUpdate: object } };
      expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
      const { terminationGracePeriodSeconds, initContainers = [] } = podOf(deployment).spec;
      // The runtime stops after the edge: 25 s for requests, 10 s for apps.
      const runtimeSeconds = initContainers.length > 0 ? 35 : 0;
      expect(terminationGracePeriodSeconds).toBeGreaterThan(6 + DRAIN_SECONDS + runtimeSeconds);
    }
  });

  it('waits longer when the notice is longer', () => {
    const [api] = chart.render(EXAMPLES.ingress, ['settings.shared.SHUTDOWN_NOTICE_MS=20500']).filter(isDeployment);
    expect(podOf(api as KubernetesObject).spec.terminationGracePeriodSeconds).toBe(21 + DRAIN_SECONDS + 5);
  });

  it.each(Object.keys(rendered))('asks only paths and ports that exist (%s)', (key) => {
    for (const container of objectsOf(key, 'Deployment').flatMap(containersOf)) {
      const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe].filter(isPresent);
      if (container.name === 'runtime') {
        expect(container.restartPolicy).toBe('Always');
        for (const { exec } of probes) expect(exec?.command).toEqual(healthCheckOf('runtime'));
      } else {
        const paths = probes.map(({ httpGet }) => [httpGet?.path, httpGet?.port]);
        expect(paths).toEqual(['/health/live', '/health/live', '/health/ready'].map((path) => [path, 'http']));
      }
    }
  });

  it.each(Object.keys(rendered))('selects existing pods and their ports everywhere (%s)', (key) => {
    const pods = objectsOf(key, 'Deployment').map(podOf);
    const objects = rendered[key] ?? [];
    let selectors = 0;
    for (const { kind, spec = {} } of objects) {
      const selector = kind === 'NetworkPolicy' ? spec['podSelector'] : spec['selector'];
      if (selector === undefined || kind === 'ServiceMonitor') continue;
      const labels = kind === 'Service' ? selector : (selector as { matchLabels: object }).matchLabels;
      const found = pods.filter(({ metadata }) => containsAll(metadata.labels, labels as object));
      expect([kind, found.length]).toEqual([kind, 1]);
      const ports = [...(found[0]?.spec.containers ?? []), ...(found[0]?.spec.initContainers ?? [])].flatMap(portsOf);
      expect(ports).toEqual(expect.arrayContaining(targetPortsOf(kind, spec)));
      selectors += 1;
    }
    expect(selectors).toBeGreaterThan(8);
  });

  it('lets Prometheus read each program by the name that the alerts expect', () => {
    const services = objectsOf('edge-tls', 'Service');
    const monitors = objectsOf('edge-tls', 'ServiceMonitor');
    const jobs = monitors.map(({ spec }) => {
      const { selector, endpoints } = spec as {
        selector: { matchLabels: object };
        endpoints: { port: string; relabelings: { replacement: string }[] }[];
      };
      const found = services.filter(({ metadata }) => containsAll(metadata.labels, selector.matchLabels));
      expect(found.map(({ spec: of }) => (of?.['ports'] as { name: string }[])[0]?.name)).toEqual([endpoints[0]?.port]);
      return endpoints[0]?.relabelings[0]?.replacement;
    });
    expect(jobs).toEqual(['homeport-api', 'homeport-edge', 'homeport-runtime']);
    const [rule] = objectsOf('edge-tls', 'PrometheusRule');
    expect(rule?.spec).toEqual(parse(textOf('../../alerts/homeport.yml')));
  });

  it('exposes the management ports neither to the load balancer nor to everyone', () => {
    for (const { metadata, spec } of objectsOf('edge-tls', 'Service')) {
      const ports = (spec?.['ports'] as { targetPort: string }[]).map(({ targetPort }) => targetPort);
      const isManagement = metadata.name.endsWith('-management');
      for (const port of ports) expect(port.includes('management')).toBe(isManagement);
      if (isManagement) expect(spec?.['clusterIP']).toBe('None');
    }
  });

  it.each([
    ['an unknown value', 'api.replica=3', "additional properties 'replica' not allowed"],
    ['a misspelled setting', 'settings.api.AUTH_ISUER="https://a"', "additional properties 'AUTH_ISUER' not allowed"],
    [
      'a secret among the settings',
      'settings.api.SESSION_KEYS="a"',
      "additional properties 'SESSION_KEYS' not allowed",
    ],
    ['a setting of the chart', 'settings.api.PORT=1', "additional properties 'PORT' not allowed"],
    ['no Secret', 'secret.name=""', "'/secret/name': minLength"],
    ['an unknown key of the Secret', 'secret.keys=["S3_SECRET"]', "'/secret/keys/0': value must be one of"],
    ['half a pair of keys', 'secret.keys=["S3_ACCESS_KEY_ID","RFC2136_KEY_SECRET"]', "'/secret/keys': no items match"],
    ['a provider without its key', 'secret.keys=[]', "'/secret/keys': no items match"],
    ['an image without a version', 'images.api="registry.example.com/homeport"', 'does not match pattern'],
    ['the image “latest”', 'images.api="homeport:latest"', "'/images/api': 'not' failed"],
    ['plain http', 'settings.api.PUBLIC_URL="http://homeport.example.com"', 'does not match pattern'],
    ['a runtime without its image and tenancy', 'runtime.type="pooled"', "missing property 'RUNTIME_TENANCY'"],
    ['a number in words', 'edge.replicas="three"', 'got string, want integer'],
  ])('refuses %s', (_, set, message) => {
    expect(() => chart.render(EXAMPLES.ingress, [set])).toThrow(message);
  });

  it('refuses a missing setting', () => {
    const values = EXAMPLES.ingress.replace(/^ +AUTH_ISSUER: .*\n/m, '');
    expect(() => chart.render(values)).toThrow("missing property 'AUTH_ISSUER'");
  });
});

const RESTRICTED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  runAsUser: 1000,
  runAsGroup: 1000,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};
/** Decision 0082, and docs/operations.md, "The runtime in a container". */
const SANDBOXING = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsUser: 0,
  runAsGroup: 1000,
  capabilities: { drop: ['ALL'], add: ['SETUID', 'SETGID', 'KILL', 'SYS_PTRACE'] },
  seccompProfile: { type: 'Unconfined' },
  appArmorProfile: { type: 'Unconfined' },
  procMount: 'Unmasked',
};

const isPresent = <T>(value: T | undefined): value is T => value !== undefined;
const isDeployment = ({ kind }: KubernetesObject) => kind === 'Deployment';
const objectsOf = (key: string, kind: string) => (rendered[key] ?? []).filter((object) => object.kind === kind);
const portsOf = ({ ports }: Container) => ports.flatMap(({ name, containerPort }) => [name, containerPort]);
const containsAll = (labels: object, wanted: object) =>
  Object.entries(wanted).every(([name, value]) => (labels as Record<string, unknown>)[name] === value);

/** The names that `secret.keys` can have. */
function secretKeysOf(schema: string): readonly string[] {
  const { properties } = JSON.parse(schema) as {
    properties: { secret: { properties: { keys: { items: { enum: readonly string[] } } } } };
  };
  return properties.secret.properties.keys.items.enum;
}

/** The ports of pods that a Service names, or a NetworkPolicy numbers. */
function targetPortsOf(kind: string, spec: Readonly<Record<string, unknown>>): (string | number)[] {
  if (kind === 'Service') return (spec['ports'] as { targetPort: string }[]).map(({ targetPort }) => targetPort);
  if (kind !== 'NetworkPolicy') return [];
  return (spec['ingress'] as { ports: { port: number }[] }[]).flatMap(({ ports }) => ports.map(({ port }) => port));
}

/** The health check of a stage of the Dockerfile. */
function healthCheckOf(stage: string): unknown {
  const text = readFileSync(join(CHART, '../../../Dockerfile'), 'utf8');
  const [, command = ''] = new RegExp(`AS ${stage}\\n[^]*?HEALTHCHECK [^]*?CMD (\\[.*\\])$`, 'm').exec(text) ?? [];
  return JSON.parse(command);
}
