import { Duration } from 'aws-cdk-lib';
import {
  type ContainerDefinition,
  ContainerDependencyCondition,
  ContainerImage,
  type ContainerDefinitionOptions,
  FargateTaskDefinition,
  LinuxParameters,
  LogDrivers,
  Secret as EcsSecret,
  Capability,
} from 'aws-cdk-lib/aws-ecs';
import type { IRepository } from 'aws-cdk-lib/aws-ecr';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { DATABASE_CA_PATH } from './database.ts';
import type { TaskSize } from './sizes.ts';

/**
 * Milliseconds. Load balancers look every 5 seconds and decide after two failures, so a task is ready for 11 seconds
 * after the signal to stop.
 */
export const SHUTDOWN_NOTICE_MS = 12_000;
/** The notice and 29 seconds, as docs/operations.md states. */
export const STOP_TIMEOUT = Duration.seconds(45);

/** Writes the certificates of the database and opens the folder for temporary files, then ends. */
const PREPARE = `
  const { chmodSync, writeFileSync } = require('node:fs');
  writeFileSync('${DATABASE_CA_PATH}', process.env.DATABASE_CA);
  chmodSync('/tmp', 0o1777);
`;

export interface ProgramOptions {
  readonly image: IRepository;
  readonly version: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, ISecret>>;
  readonly container?: Partial<ContainerDefinitionOptions>;
}

export interface ProgramTaskProps {
  readonly size: TaskSize;
  readonly image: IRepository;
  readonly version: string;
  /** Certificates in PEM. */
  readonly databaseCa: string;
}

/** A task on Fargate whose containers have a read-only file system, no capability, and one folder for temporary files. */
export class ProgramTask extends FargateTaskDefinition {
  readonly logs: LogGroup;
  readonly #prepare: ContainerDefinition;

  constructor(scope: Construct, id: string, { size, image, version, databaseCa }: ProgramTaskProps) {
    super(scope, id, { cpu: size.cpu, memoryLimitMiB: size.memoryMiB });
    this.logs = new LogGroup(this, 'Log', { retention: RetentionDays.ONE_MONTH });
    this.addVolume({ name: 'settings' });
    this.addVolume({ name: 'temporary' });
    this.#prepare = this.addContainer('prepare', {
      image: ContainerImage.fromEcrRepository(image, version),
      essential: false,
      // New volumes belong to root.
      user: '0',
      command: ['node', '-e', PREPARE],
      environment: { DATABASE_CA: databaseCa },
      ...this.#walls('prepare'),
    });
    this.#prepare.addMountPoints(
      { sourceVolume: 'settings', containerPath: '/etc/homeport', readOnly: false },
      { sourceVolume: 'temporary', containerPath: '/tmp', readOnly: false },
    );
    acknowledge(this, {
      'AwsSolutions-ECS2': 'Settings that are not secret are readable in the task; secrets come from Secrets Manager.',
    });
    acknowledge(this.obtainExecutionRole(), {
      'AwsSolutions-IAM5[Resource::*]': 'AWS has no narrower resource for ecr:GetAuthorizationToken.',
    });
  }

  addProgram(name: string, { image, version, environment, secrets, container }: ProgramOptions): ContainerDefinition {
    const program = this.addContainer(name, {
      image: ContainerImage.fromEcrRepository(image, version),
      environment,
      secrets: Object.fromEntries(
        Object.entries(secrets).map(([variable, secret]) => [variable, EcsSecret.fromSecretsManager(secret)]),
      ),
      stopTimeout: STOP_TIMEOUT,
      ...this.#walls(name),
      ...container,
    });
    program.addContainerDependencies({ container: this.#prepare, condition: ContainerDependencyCondition.SUCCESS });
    program.addMountPoints(
      { sourceVolume: 'settings', containerPath: '/etc/homeport', readOnly: true },
      { sourceVolume: 'temporary', containerPath: '/tmp', readOnly: false },
    );
    return program;
  }

  #walls(name: string): Pick<ContainerDefinitionOptions, 'readonlyRootFilesystem' | 'linuxParameters' | 'logging'> {
    const linuxParameters = new LinuxParameters(this, `${name}-linux`, { initProcessEnabled: true });
    linuxParameters.dropCapabilities(Capability.ALL);
    return {
      readonlyRootFilesystem: true,
      linuxParameters,
      logging: LogDrivers.awsLogs({ streamPrefix: name, logGroup: this.logs }),
    };
  }
}
