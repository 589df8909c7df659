import { CfnOutput, Fn, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Repository, TagMutability } from 'aws-cdk-lib/aws-ecr';
import { CaaAmazonRecord, PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Settings } from './settings.ts';

export const IMAGES = ['api', 'edge', 'runtime'] as const;

export interface BaseStackProps extends StackProps {
  readonly settings: Settings;
}

/**
 * What must exist before the rest: the zones, because certificates are issued only after the zones are delegated, and
 * the repositories of the images.
 */
export class BaseStack extends Stack {
  readonly platformZone: PublicHostedZone;
  readonly productZone: PublicHostedZone;
  readonly images: Readonly<Record<(typeof IMAGES)[number], Repository>>;

  constructor(scope: Construct, id: string, { settings, ...props }: BaseStackProps) {
    super(scope, id, props);
    this.platformZone = this.#zone('Platform', settings.platformDomain);
    this.productZone = this.#zone('Product', settings.productHost);
    const [api, edge, runtime] = IMAGES.map((name) => this.#repository(name)) as [Repository, Repository, Repository];
    this.images = { api, edge, runtime };
  }

  #zone(id: string, zoneName: string): PublicHostedZone {
    const zone = new PublicHostedZone(this, `${id}Zone`, { zoneName });
    // Only Amazon issues certificates below these names.
    new CaaAmazonRecord(this, `${id}Caa`, { zone });
    new CfnOutput(this, `${id}NameServers`, { value: Fn.join(' ', zone.hostedZoneNameServers ?? []) });
    acknowledge(zone, {
      'AwsSolutions-R53-1':
        'Query logs contain the addresses of resolvers of all visitors, and Homeport does not use them.',
    });
    return zone;
  }

  #repository(name: string): Repository {
    const repository = new Repository(this, `${name}Images`, {
      repositoryName: `homeport-${name}`,
      imageScanOnPush: true,
      imageTagMutability: TagMutability.IMMUTABLE,
      lifecycleRules: [{ maxImageCount: 20 }],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    new CfnOutput(this, `${name}Repository`, { value: repository.repositoryUri });
    return repository;
  }
}
