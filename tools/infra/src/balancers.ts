import { Duration } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type IVpc, Peer, Port, SecurityGroup, SubnetType } from 'aws-cdk-lib/aws-ec2';
import {
  type ApplicationListener,
  ApplicationLoadBalancer,
  ApplicationProtocol,
  SslPolicy,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { NETWORK } from './network.ts';

export interface BalancerProps {
  readonly vpc: IVpc;
  readonly certificate: ICertificate;
  readonly logs: IBucket;
}

export interface EdgeBalancerProps extends BalancerProps {
  /** The addresses from which CloudFront contacts origins. */
  readonly prefixList: string;
}

/** Below the 65 seconds after which the programs close idle connections. */
const IDLE_TIMEOUT = Duration.seconds(60);

/** The public load balancer of the API and the client. */
export class ProductBalancer extends Construct {
  readonly balancer: ApplicationLoadBalancer;
  readonly listener: ApplicationListener;

  constructor(scope: Construct, id: string, { vpc, certificate, logs }: BalancerProps) {
    super(scope, id);
    this.balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc,
      internetFacing: true,
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      idleTimeout: IDLE_TIMEOUT,
      dropInvalidHeaderFields: true,
      deletionProtection: true,
    });
    this.balancer.logAccessLogs(logs, 'product');
    this.balancer.addRedirect();
    this.listener = this.balancer.addListener('Https', {
      port: 443,
      protocol: ApplicationProtocol.HTTPS,
      certificates: [certificate],
      sslPolicy: SslPolicy.RECOMMENDED_TLS,
    });
    acknowledge(this.balancer, {
      'AwsSolutions-EC23': 'The product is public: everyone may reach ports 80, which only redirects, and 443.',
    });
  }
}

/** The load balancer of the edge, without a public address: CloudFront reaches it through the VPC origin. */
export class EdgeBalancer extends Construct {
  readonly balancer: ApplicationLoadBalancer;
  readonly listener: ApplicationListener;

  constructor(scope: Construct, id: string, { vpc, certificate, logs, prefixList }: EdgeBalancerProps) {
    super(scope, id);
    const securityGroup = new SecurityGroup(this, 'Access', { vpc, description: 'CloudFront to the edge' });
    securityGroup.addIngressRule(Peer.prefixList(prefixList), Port.HTTPS, 'CloudFront');
    securityGroup.addIngressRule(Peer.ipv4(NETWORK), Port.HTTPS, 'Interfaces of the VPC origin');
    this.balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc,
      internetFacing: false,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroup,
      idleTimeout: IDLE_TIMEOUT,
      deletionProtection: true,
    });
    this.balancer.logAccessLogs(logs, 'edge');
    this.listener = this.balancer.addListener('Https', {
      port: 443,
      protocol: ApplicationProtocol.HTTPS,
      certificates: [certificate],
      sslPolicy: SslPolicy.RECOMMENDED_TLS,
      open: false,
    });
  }
}
