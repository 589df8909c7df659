import { Duration } from 'aws-cdk-lib';
import { SubnetType } from 'aws-cdk-lib/aws-ec2';
import { type Cluster, FargateService } from 'aws-cdk-lib/aws-ecs';
import {
  ApplicationProtocol,
  type ApplicationTargetGroup,
  type ApplicationListener,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type { Construct } from 'constructs';
import type { ProgramTask } from './program-task.ts';
import type { TaskSize } from './sizes.ts';

export interface ProgramServiceProps {
  readonly cluster: Cluster;
  readonly task: ProgramTask;
  readonly size: TaskSize;
  readonly listener: ApplicationListener;
  readonly container: string;
  readonly port: number;
}

/** Runs tasks behind a load balancer, replaces them one by one, and returns to the last version that worked. */
export class ProgramService extends FargateService {
  readonly targets: ApplicationTargetGroup;

  constructor(scope: Construct, id: string, { cluster, task, size, listener, container, port }: ProgramServiceProps) {
    super(scope, id, {
      cluster,
      // No desired count: each update would set it, and so undo the scaling under load.
      taskDefinition: task,
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      circuitBreaker: { rollback: true },
      // The API migrates the database before it listens, and edges wait for that.
      healthCheckGracePeriod: Duration.minutes(5),
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
    });
    this.targets = listener.addTargets(`${id}Targets`, {
      port,
      protocol: ApplicationProtocol.HTTP,
      targets: [this.loadBalancerTarget({ containerName: container, containerPort: port })],
      // Requests that are in progress end within 25 seconds.
      deregistrationDelay: Duration.seconds(30),
      healthCheck: {
        path: '/health/ready',
        interval: Duration.seconds(5),
        timeout: Duration.seconds(4),
        healthyThresholdCount: 2,
        unhealthyThresholdCount: 2,
        healthyHttpCodes: '200',
      },
    });
    const scaling = this.autoScaleTaskCount({ minCapacity: size.least, maxCapacity: size.most });
    scaling.scaleOnCpuUtilization('Cpu', { targetUtilizationPercent: 60 });
    scaling.scaleOnMemoryUtilization('Memory', { targetUtilizationPercent: 80 });
  }
}
