import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import {
  Cluster,
  type ContainerDefinition,
  ContainerDependencyCondition,
  ContainerInsights,
} from 'aws-cdk-lib/aws-ecs';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { AaaaRecord, ARecord, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget, LoadBalancerTarget } from 'aws-cdk-lib/aws-route53-targets';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { watchBackgroundWork, watchCertificate, watchDatabase, watchProgram, watchSignIn } from './alarms.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { EdgeBalancer, ProductBalancer } from './balancers.ts';
import type { BaseStack, BaseStackProps } from './base-stack.ts';
import { MonthlyBudget } from './budget.ts';
import { Database } from './database.ts';
import { AppDistribution } from './distribution.ts';
import {
  apiEnvironment,
  edgeEnvironment,
  type EnvironmentOptions,
  RUNTIME_DIR,
  runtimeEnvironment,
} from './environments.ts';
import { Firewall } from './firewall.ts';
import type { GlobalStack } from './global-stack.ts';
import { Network } from './network.ts';
import {
  apiStoragePermissions,
  edgeStoragePermissions,
  explainWildcards,
  lambdaPermissions,
  objectsBelow,
  zonePermissions,
} from './permissions.ts';
import { ProgramService } from './program-service.ts';
import { ProgramTask } from './program-task.ts';
import { SECRET_NAMES } from './settings.ts';
import { SignIn } from './sign-in.ts';
import { type Size, SIZE_OF } from './sizes.ts';
import { Storage } from './storage.ts';

export interface HomeportStackProps extends BaseStackProps {
  readonly base: BaseStack;
  readonly global: GlobalStack;
  readonly databaseCa: string;
}

const API_PORT = 3000;
const EDGE_PORT = 8080;

/**
 * Everything that serves: network, data, sign-in, programs, distribution, and what watches them. Another id of a construct
 * would replace it in installations that exist.
 */
export class HomeportStack extends Stack {
  readonly #props: HomeportStackProps;
  readonly #size: Size;
  readonly #vpc: Network;
  readonly #storage: Storage;
  readonly #database: Database;
  readonly #signIn: SignIn;
  readonly #cluster: Cluster;
  readonly #alarms: AlarmTopic;

  constructor(scope: Construct, id: string, props: HomeportStackProps) {
    super(scope, id, { env: props.env, crossRegionReferences: props.crossRegionReferences });
    const { settings } = props;
    this.#props = props;
    this.#size = SIZE_OF[settings.size];
    this.#vpc = new Network(this, 'Network', this.#size.natGateways);
    this.#storage = new Storage(this, 'Storage');
    this.#database = new Database(this, 'Database', {
      vpc: this.#vpc,
      database: settings.database,
      size: this.#size.database,
    });
    this.#signIn = new SignIn(this, 'SignIn', settings);
    this.#cluster = new Cluster(this, 'Programs', { vpc: this.#vpc, containerInsightsV2: ContainerInsights.ENABLED });
    this.#alarms = new AlarmTopic(this, 'Alerts', settings.alertEmail);
    const edge = this.#addEdgeBalancer();
    const distribution = this.#addDistribution(edge);
    const environment = this.#environment(distribution);
    const api = this.#addApi(environment);
    // Only the API migrates the database.
    this.#addEdge(edge, environment).node.addDependency(api);
    watchDatabase(this.#alarms, this.#database);
    watchSignIn(this.#alarms, this.#signIn);
    new MonthlyBudget(this, 'Budget', settings.monthlyBudgetUsd, settings.alertEmail);
  }

  /** By name, because a lookup needs an account while the stack is synthesised. */
  override get availabilityZones(): string[] {
    return [`${this.region}a`, `${this.region}b`];
  }

  #environment(distribution: AppDistribution): EnvironmentOptions {
    const secret = (id: string, name: string) => Secret.fromSecretNameV2(this, id, name);
    return {
      settings: this.#props.settings,
      database: this.#database,
      bucketName: this.#storage.files.bucketName,
      signIn: this.#signIn,
      hostedZoneId: this.#props.base.platformZone.hostedZoneId,
      distributionHost: distribution.distributionDomainName,
      sessionKeys: secret('SessionKeys', SECRET_NAMES.sessionKeys),
      secretsKeys: secret('SecretsKeys', SECRET_NAMES.secretsKeys),
    };
  }

  #addEdgeBalancer(): EdgeBalancer {
    const { base, settings } = this.#props;
    const certificate = new Certificate(this, 'OriginCertificate', {
      domainName: `*.${settings.platformDomain}`,
      validation: CertificateValidation.fromDns(base.platformZone),
    });
    watchCertificate(this.#alarms, 'OriginCertificate', certificate);
    return new EdgeBalancer(this, 'EdgeLoadBalancer', {
      vpc: this.#vpc,
      certificate,
      logs: this.#storage.logs,
      prefixList: settings.cloudFrontPrefixList,
    });
  }

  #addDistribution({ balancer }: EdgeBalancer): AppDistribution {
    const { base, global, settings } = this.#props;
    const distribution = new AppDistribution(this, 'Distribution', {
      platformDomain: settings.platformDomain,
      certificate: global.certificate,
      firewallArn: global.firewall.attrArn,
      loadBalancer: balancer,
      logs: this.#storage.logs,
    });
    const target = RecordTarget.fromAlias(new CloudFrontTarget(distribution));
    new ARecord(this, 'Wildcard', { zone: base.platformZone, recordName: '*', target });
    new AaaaRecord(this, 'WildcardIpv6', { zone: base.platformZone, recordName: '*', target });
    new CfnOutput(this, 'DistributionHost', { value: distribution.distributionDomainName });
    return distribution;
  }

  #addApi(options: EnvironmentOptions): ProgramService {
    const { base, settings, databaseCa } = this.#props;
    const { balancer, listener } = this.#addProductBalancer();
    const shared = { image: base.images.api, version: settings.version };
    const task = new ProgramTask(this, 'ApiTask', { size: this.#size.api, databaseCa, ...shared });
    task.addProgram('api', { ...shared, ...apiEnvironment(options) }).addPortMappings({ containerPort: API_PORT });
    for (const statement of [
      ...zonePermissions(base.platformZone, settings.platformDomain),
      ...apiStoragePermissions(this.#storage.files),
    ])
      task.addToTaskRolePolicy(statement);
    acknowledge(
      task.taskRole,
      explainWildcards({
        'arn:<AWS::Partition>:route53:::change/*':
          'Route 53 invents the id of a change; it only tells whether it is done.',
        [objectsBelow(this.#storage.files, 'u')]: 'Files of people: the API keeps every person in a prefix of u/.',
        [objectsBelow(this.#storage.files, 'sites')]: 'Files of deploys.',
      }),
    );
    const service = new ProgramService(this, 'Api', {
      ...{ cluster: this.#cluster, task, size: this.#size.api, listener },
      ...{ container: 'api', port: API_PORT },
    });
    this.#database.allowFrom(service);
    watchProgram(this.#alarms, { name: 'Api', service, balancer, logs: task.logs });
    watchBackgroundWork(this.#alarms, task.logs);
    return service;
  }

  #addProductBalancer(): ProductBalancer {
    const { base, settings } = this.#props;
    const certificate = new Certificate(this, 'ProductCertificate', {
      domainName: settings.productHost,
      validation: CertificateValidation.fromDns(base.productZone),
    });
    watchCertificate(this.#alarms, 'ProductCertificate', certificate);
    const product = new ProductBalancer(this, 'ProductLoadBalancer', {
      vpc: this.#vpc,
      certificate,
      logs: this.#storage.logs,
    });
    const firewall = new Firewall(this, 'Firewall', { scope: 'REGIONAL' });
    new CfnWebACLAssociation(this, 'ProductFirewall', {
      resourceArn: product.balancer.loadBalancerArn,
      webAclArn: firewall.attrArn,
    });
    new ARecord(this, 'Product', {
      zone: base.productZone,
      target: RecordTarget.fromAlias(new LoadBalancerTarget(product.balancer)),
    });
    return product;
  }

  #addEdge({ balancer, listener }: EdgeBalancer, options: EnvironmentOptions): ProgramService {
    const { base, settings, databaseCa } = this.#props;
    const shared = { image: base.images.edge, version: settings.version };
    const task = new ProgramTask(this, 'EdgeTask', { size: this.#size.edge, databaseCa, ...shared });
    const edge = task.addProgram('edge', { ...shared, ...edgeEnvironment(options) });
    edge.addPortMappings({ containerPort: EDGE_PORT });
    for (const statement of edgeStoragePermissions(this.#storage.files)) task.addToTaskRolePolicy(statement);
    acknowledge(
      task.taskRole,
      explainWildcards({
        [objectsBelow(this.#storage.files, 'sites')]: 'Files of deploys, which the edge only reads.',
      }),
    );
    if (settings.runtime === 'lambda') {
      const container = this.#addRuntime(task, options);
      // ECS stops containers in the reverse order: the runtime serves the requests of an edge that is stopping.
      edge.addContainerDependencies({ container, condition: ContainerDependencyCondition.START });
      edge.addMountPoints({ sourceVolume: 'runtime', containerPath: RUNTIME_DIR, readOnly: true });
    }
    const service = new ProgramService(this, 'Edge', {
      ...{ cluster: this.#cluster, task, size: this.#size.edge, listener },
      ...{ container: 'edge', port: EDGE_PORT },
    });
    this.#database.allowFrom(service);
    watchProgram(this.#alarms, { name: 'Edge', service, balancer, logs: task.logs });
    return service;
  }

  /** In the task of the edge, because both share a socket; its role therefore includes the permissions for Lambda. */
  #addRuntime(task: ProgramTask, options: EnvironmentOptions): ContainerDefinition {
    const { base, settings } = this.#props;
    task.addVolume({ name: 'runtime' });
    const runtime = task.addProgram('runtime', {
      image: base.images.runtime,
      version: settings.version,
      ...runtimeEnvironment(options),
      // Files of sites are served while the runtime restarts. A runtime that ends earlier than a minute after its start is
      // not restarted: AWS has no shorter period.
      container: { essential: false, enableRestartPolicy: true, restartAttemptPeriod: Duration.minutes(1) },
    });
    runtime.addMountPoints({ sourceVolume: 'runtime', containerPath: RUNTIME_DIR, readOnly: false });
    // Without any permission: apps can use its credentials.
    const appRole = new Role(this, 'AppRole', {
      roleName: 'homeport-app',
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    for (const statement of lambdaPermissions(this.account, this.region, appRole.roleArn)) {
      task.addToTaskRolePolicy(statement);
    }
    acknowledge(
      task.taskRole,
      explainWildcards({
        '*': 'AWS has no narrower resource for lambda:ListFunctions.',
        [`arn:<AWS::Partition>:lambda:${this.region}:${this.account}:function:homeport-*`]:
          'The runtime creates a function for each app, named after it.',
      }),
    );
    return runtime;
  }
}
