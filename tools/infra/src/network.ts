import { FlowLogDestination, GatewayVpcEndpointAwsService, IpAddresses, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

/** Also the only network whose `X-Forwarded-For` the programs trust: both load balancers are in it. */
export const NETWORK = '10.42.0.0/16';

/** Two zones: load balancers in public subnets, programs in private ones, the database without a way out. */
export class Network extends Vpc {
  constructor(scope: Construct, id: string, natGateways: number) {
    super(scope, id, {
      ipAddresses: IpAddresses.cidr(NETWORK),
      maxAzs: 2,
      natGateways,
      subnetConfiguration: [
        { name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 24, mapPublicIpOnLaunch: false },
        { name: 'programs', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
        { name: 'database', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 24 },
      ],
      gatewayEndpoints: { S3: { service: GatewayVpcEndpointAwsService.S3 } },
    });
    acknowledge(this, {
      'CloudFormation-Validate::W3010': 'A lookup of the zones needs an account while the stack is synthesised.',
    });
    const logGroup = new LogGroup(this, 'FlowLog', { retention: RetentionDays.ONE_MONTH });
    this.addFlowLog('Flows', { destination: FlowLogDestination.toCloudWatchLogs(logGroup) });
  }
}
