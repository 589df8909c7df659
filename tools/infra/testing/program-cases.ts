import { describe, expect, it } from '@jest/globals';
import { type Container, containersOf, environmentOf } from './containers.ts';
import { programModule } from './program-modules.ts';
import { SIZE_OF } from '../src/sizes.ts';
import { allOf, CERTIFICATE, type Synthesis } from './synthesis.ts';

interface Program {
  readonly name: string;
  readonly names: string;
  /** Set by the image. */
  readonly image: Readonly<Record<string, string>>;
}

const PROGRAMS: readonly Program[] = [
  { name: 'api', names: 'ENVIRONMENT_NAMES', image: { CLIENT_DIR: '/app/dist/client/browser', HOST: '0.0.0.0' } },
  { name: 'edge', names: 'EDGE_ENVIRONMENT_NAMES', image: { HOST: '0.0.0.0' } },
  { name: 'runtime', names: 'RUNTIME_ENVIRONMENT_NAMES', image: { NODE_ENV: 'production' } },
];

/** The configuration of a program. */
async function configurationOf({ name, names }: Program) {
  const module = await programModule(`${name}/src/config`);
  return {
    known: module[names] as readonly string[],
    load: module['loadConfig'] as (environment: Record<string, string>) => Record<string, unknown>,
  };
}

/** The drain limit of the programs, and how long they stay ready before it (docs/operations.md). */
const DRAIN_SECONDS = 29;

export function describePrograms({ resources: { Homeport: resources } }: Synthesis): void {
  const containers = containersOf(resources);
  const containerOf = (name: string) => containers.find(({ Name }) => Name === name) as Container;

  describe.each(PROGRAMS)('the task of the $name', (program) => {
    const container = containerOf(program.name);
    const environment = environmentOf(container);

    it('sets only variables that the program reads, and values that it accepts', async () => {
      const { known, load } = await configurationOf(program);
      expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
      expect(() => load({ ...program.image, ...environment })).not.toThrow();
    });

    it('has secrets in Secrets Manager only', () => {
      const secret = /SECRET|KEYS$|^DATABASE_URL$/;
      const plain = (container.Environment ?? []).map(({ Name }) => Name);
      expect(plain.filter((name) => secret.test(name))).toEqual([]);
    });

    it('waits for the end of requests', () => {
      const notice = Number(environmentOf(containerOf('api'))['SHUTDOWN_NOTICE_MS']) / 1_000;
      expect(container.StopTimeout).toBeGreaterThanOrEqual(notice + DRAIN_SECONDS);
    });
  });

  it('signs people in as Cognito requires', async () => {
    const { load } = await configurationOf(PROGRAMS[0] as Program);
    expect(load(environmentOf(containerOf('api')))).toMatchObject({
      AUTH_AUDIENCE_CLAIM: 'client_id',
      AUTH_ORG_CLAIM: 'org_id',
      AUTH_SCOPES: 'openid profile email',
      AUTH_PROVIDERS: [
        { id: 'northwind', params: { identity_provider: 'northwind' } },
        { id: 'globex', params: { identity_provider: 'globex' } },
      ],
      DNS_PROVIDER: 'route53',
      CDN_HOSTNAME: 'd111111abcdef8.cloudfront.net',
      publicUrl: 'https://homeport.example.com',
    });
    const { AUTH_AUDIENCE: audience, AUTH_CLIENT_ID: client } = environmentOf(containerOf('api'));
    expect(audience).toBe(client);
  });

  it('gives edge and runtime one folder, and apps the isolation of Lambda', () => {
    const [edge, runtime] = [containerOf('edge'), containerOf('runtime')].map(environmentOf);
    expect(edge?.['RUNTIME_DIR']).toBe(runtime?.['RUNTIME_DIR']);
    expect(runtime).toMatchObject({ RUNTIME: 'lambda', RUNTIME_TENANCY: 'hostile', AWS_ACCOUNT_ID: '111122223333' });
    expect(environmentOf(containerOf('api'))['RUNTIME']).toBe('lambda');
    const mounted = ({ MountPoints }: Container) => MountPoints.find((each) => each.ContainerPath === '/run/homeport');
    expect(mounted(containerOf('edge'))?.ReadOnly).toBe(true);
    expect(mounted(containerOf('runtime'))?.ReadOnly).toBe(false);
    expect(containerOf('runtime')).toMatchObject({
      Essential: false,
      RestartPolicy: { Enabled: true, RestartAttemptPeriod: 60 },
    });
  });

  it('takes as many connections of PostgreSQL as the size plans', () => {
    const pools = PROGRAMS.map(({ name }) => [name, Number(environmentOf(containerOf(name))['DATABASE_POOL_SIZE'])]);
    expect(Object.fromEntries(pools)).toEqual(SIZE_OF.small.pools);
  });

  it('stops the edge before the runtime', () => {
    expect(containerOf('edge').DependsOn).toContainEqual({ ContainerName: 'runtime', Condition: 'START' });
  });

  it('runs every container with a read-only file system and without capabilities', () => {
    expect(containers.length).toBe(5);
    for (const { Name, ReadonlyRootFilesystem: isReadOnly, LinuxParameters: linux } of containers) {
      expect([Name, isReadOnly, linux?.Capabilities.Drop]).toEqual([Name, true, ['ALL']]);
    }
  });

  it('runs only the preparation of volumes as root', () => {
    const asRoot = containers.filter(({ User }) => User !== undefined);
    expect(asRoot.map(({ Name, User, Essential }) => [Name, User, Essential])).toEqual([
      ['prepare', '0', false],
      ['prepare', '0', false],
    ]);
    for (const container of asRoot) expect(environmentOf(container)).toEqual({ DATABASE_CA: CERTIFICATE });
  });

  it('replaces tasks one by one, in private subnets, and returns to the previous version', () => {
    const services = allOf(resources, 'AWS::ECS::Service');
    expect(services).toHaveLength(2);
    for (const { Properties: service } of services) {
      expect(service).toMatchObject({
        DeploymentConfiguration: {
          MinimumHealthyPercent: 100,
          DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        },
        NetworkConfiguration: { AwsvpcConfiguration: { AssignPublicIp: 'DISABLED' } },
      });
    }
  });

  it('lets the load alone decide how many tasks run, also during an update', () => {
    const counts = allOf(resources, 'AWS::ECS::Service').map(({ Properties: service }) => service['DesiredCount']);
    expect(counts).toEqual([undefined, undefined]);
    const limits = allOf(resources, 'AWS::ApplicationAutoScaling::ScalableTarget').map(
      ({ Properties: { MinCapacity, MaxCapacity } }) => [MinCapacity, MaxCapacity],
    );
    const { api, edge } = SIZE_OF.small;
    expect(limits).toEqual([api, edge].map(({ least, most }) => [least, most]));
  });

  it('checks readiness as often as the shutdown notice allows', () => {
    for (const { Properties: target } of allOf(resources, 'AWS::ElasticLoadBalancingV2::TargetGroup')) {
      const { HealthCheckIntervalSeconds: every, UnhealthyThresholdCount: times, HealthCheckPath: path } = target;
      expect(path).toBe('/health/ready');
      const notice = Number(environmentOf(containerOf('api'))['SHUTDOWN_NOTICE_MS']) / 1_000;
      expect(notice).toBeGreaterThan(Number(every) * Number(times) + 1);
    }
  });
}
