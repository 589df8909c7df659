import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { SIZE_OF } from './sizes.ts';

const LONGEST_BACKUP_DAYS = Math.max(...Object.values(SIZE_OF).map(({ database }) => database.backupDays));

const PRIVATE = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  versioned: true,
  removalPolicy: RemovalPolicy.RETAIN,
} as const;

/** The bucket of files (`u/`) and deploys (`sites/`), and the bucket of access logs. */
export class Storage extends Construct {
  readonly files: Bucket;
  readonly logs: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.logs = new Bucket(this, 'Logs', {
      ...PRIVATE,
      // CloudFront writes its log with an access control list.
      objectOwnership: ObjectOwnership.OBJECT_WRITER,
      lifecycleRules: [{ expiration: Duration.days(90), noncurrentVersionExpiration: Duration.days(1) }],
    });
    this.files = new Bucket(this, 'Files', {
      ...PRIVATE,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      serverAccessLogsBucket: this.logs,
      serverAccessLogsPrefix: 's3/',
      lifecycleRules: [
        {
          // The API aborts uploads after a day itself; this rule also covers an API that is down.
          abortIncompleteMultipartUploadAfter: Duration.days(2),
          // As long as the longest log of the database, so that a restored deploy finds its files.
          noncurrentVersionExpiration: Duration.days(LONGEST_BACKUP_DAYS),
          expiredObjectDeleteMarker: true,
        },
      ],
    });
    acknowledge(this.logs, { 'AwsSolutions-S1': 'A log of the access to logs would grow with itself.' });
  }
}
