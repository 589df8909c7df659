import { Duration, Fn, RemovalPolicy, SecretValue } from 'aws-cdk-lib';
import { type IConnectable, InstanceType, Port, SubnetType, type IVpc } from 'aws-cdk-lib/aws-ec2';
import {
  CaCertificate,
  Credentials,
  DatabaseInstance,
  DatabaseInstanceEngine,
  ParameterGroup,
  PostgresEngineVersion,
  StorageType,
} from 'aws-cdk-lib/aws-rds';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Settings } from './settings.ts';
import type { Size } from './sizes.ts';

const NAME = 'homeport';
/** Where each program finds the certificates that the server of the database proves itself with. */
export const DATABASE_CA_PATH = '/etc/homeport/database-ca.pem';
const TLS = `sslmode=verify-full&sslrootcert=${DATABASE_CA_PATH}`;
/** The password is part of an address. */
const NOT_IN_ADDRESSES = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

export interface DatabaseProps {
  readonly vpc: IVpc;
  readonly database: Settings['database'];
  readonly size: Size['database'];
}

/** A PostgreSQL server of the stack, or the given one. */
export class Database extends Construct {
  /** Contains `DATABASE_URL`. */
  readonly url: ISecret;
  readonly #instance: DatabaseInstance | undefined;

  constructor(scope: Construct, id: string, { vpc, database, size }: DatabaseProps) {
    super(scope, id);
    if (database.kind === 'given') {
      this.url = Secret.fromSecretNameV2(this, 'Url', database.urlSecret);
      return;
    }
    this.#instance = this.#create(vpc, size);
    this.url = this.#urlOf(this.#instance);
  }

  /** Undefined for a given database, whose own alarms apply. */
  get instance(): DatabaseInstance | undefined {
    return this.#instance;
  }

  allowFrom(program: IConnectable): void {
    this.#instance?.connections.allowFrom(program, Port.POSTGRES, 'PostgreSQL');
  }

  #create(vpc: IVpc, size: Size['database']): DatabaseInstance {
    const engine = DatabaseInstanceEngine.postgres({ version: PostgresEngineVersion.VER_18 });
    const instance = new DatabaseInstance(this, 'Postgres', {
      engine,
      vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      instanceType: new InstanceType(size.instanceType),
      databaseName: NAME,
      credentials: Credentials.fromGeneratedSecret(NAME, { excludeCharacters: NOT_IN_ADDRESSES }),
      parameterGroup: new ParameterGroup(this, 'Parameters', { engine, parameters: { 'rds.force_ssl': '1' } }),
      caCertificate: CaCertificate.RDS_CA_RSA2048_G1,
      multiAz: size.isMultiAz,
      storageType: StorageType.GP3,
      storageEncrypted: true,
      allocatedStorage: size.storageGiB,
      maxAllocatedStorage: size.maxStorageGiB,
      backupRetention: Duration.days(size.backupDays),
      autoMinorVersionUpgrade: true,
      cloudwatchLogsExports: ['postgresql'],
      deletionProtection: true,
      removalPolicy: RemovalPolicy.SNAPSHOT,
    });
    acknowledge(instance, {
      'AwsSolutions-SMG4': 'DATABASE_URL contains the password, so a rotation needs a deployment: docs/deploy-aws.md.',
      'AwsSolutions-RDS11': 'Another port hides nothing: only the security groups of the programs reach the server.',
      ...(!size.isMultiAz && {
        'AwsSolutions-RDS3': 'The small size saves the second zone; docs/deploy-aws.md states the outage it allows.',
      }),
    });
    return instance;
  }

  #urlOf({ secret, instanceEndpoint: { hostname } }: DatabaseInstance): ISecret {
    const password = secret?.secretValueFromJson('password').unsafeUnwrap() ?? '';
    const url = Fn.join('', [`postgresql://${NAME}:`, password, '@', hostname, `:5432/${NAME}?${TLS}`]);
    // CloudFormation fills the password in; the template contains a reference.
    const secretStringValue = SecretValue.unsafePlainText(url);
    const address = new Secret(this, 'Url', { secretStringValue, description: 'DATABASE_URL of Homeport' });
    acknowledge(address, {
      'AwsSolutions-SMG4': 'Follows the password of the server, which is not rotated by itself.',
    });
    return address;
  }
}
