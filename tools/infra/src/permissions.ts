import { Aws, Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { IHostedZone } from 'aws-cdk-lib/aws-route53';

const TYPES = 'route53:ChangeResourceRecordSetsRecordTypes';
const ACTIONS = 'route53:ChangeResourceRecordSetsActions';
const NAMES = 'route53:ChangeResourceRecordSetsNormalizedRecordNames';

/**
 * Changes of the records of apps: CNAMEs one label below the platform domain. The conditions of `ForAllValues` are also
 * true without values, so `Null` requires them. IAM compares names in the form of Route 53, in which `*` is `\052`.
 */
export function zonePermissions(zone: IHostedZone, platformDomain: string): PolicyStatement[] {
  const action = 'route53:ChangeResourceRecordSets';
  return [
    new PolicyStatement({
      actions: [action],
      resources: [zone.hostedZoneArn],
      conditions: {
        'ForAllValues:StringEquals': { [TYPES]: ['CNAME'], [ACTIONS]: ['CREATE', 'DELETE'] },
        'ForAllValues:StringLike': { [NAMES]: [`*.${platformDomain}`] },
        Null: { [TYPES]: 'false', [ACTIONS]: 'false', [NAMES]: 'false' },
      },
    }),
    // The wildcard of the distribution, the records that prove the domain to certificate authorities, and deeper names.
    new PolicyStatement({
      effect: Effect.DENY,
      actions: [action],
      resources: [zone.hostedZoneArn],
      conditions: {
        'ForAnyValue:StringLike': {
          [NAMES]: [`\\052.${platformDomain}`, `_*.${platformDomain}`, `*.*.${platformDomain}`],
        },
      },
    }),
    new PolicyStatement({ actions: ['route53:ListResourceRecordSets'], resources: [zone.hostedZoneArn] }),
    new PolicyStatement({ actions: ['route53:GetChange'], resources: [`arn:${Aws.PARTITION}:route53:::change/*`] }),
  ];
}

/** Reasons for the findings of cdk-nag about resources with `*`, one for each resource. */
export function explainWildcards(reasons: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(reasons).map(([resource, reason]) => [`AwsSolutions-IAM5[Resource::${resource}]`, reason]),
  );
}

/** The objects below a prefix, as cdk-nag writes them. */
export function objectsBelow(bucket: Bucket, prefix: string): string {
  const resource = bucket.node.defaultChild as CfnBucket;
  return `<${Stack.of(bucket).getLogicalId(resource)}.Arn>/${prefix}/*`;
}

/** Files and deploys, as docs/operations.md states them. */
export function apiStoragePermissions(bucket: Bucket): PolicyStatement[] {
  const objects = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'];
  return [
    new PolicyStatement({
      actions: [...objects, 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
      resources: [bucket.arnForObjects('u/*')],
    }),
    new PolicyStatement({ actions: objects, resources: [bucket.arnForObjects('sites/*')] }),
    new PolicyStatement({
      actions: ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
      resources: [bucket.bucketArn],
    }),
  ];
}

/**
 * Deploys, for the edge and the runtime, which list nothing. Without `s3:ListBucket` S3 answers 403 for a missing object,
 * and not 404; it compares the name of that object with `s3:prefix`.
 */
export function edgeStoragePermissions(bucket: Bucket): PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ['s3:GetObject'], resources: [bucket.arnForObjects('sites/*')] }),
    new PolicyStatement({
      actions: ['s3:ListBucket'],
      resources: [bucket.bucketArn],
      conditions: { StringLike: { 's3:prefix': 'sites/*' } },
    }),
  ];
}

/** The functions of SSR apps, as docs/operations.md states them. */
export function lambdaPermissions(account: string, region: string, appRoleArn: string): PolicyStatement[] {
  const actions = [
    ...['CreateAlias', 'CreateFunction', 'DeleteAlias', 'DeleteFunction', 'GetAlias', 'GetFunction'],
    ...['GetFunctionConfiguration', 'InvokeFunction', 'ListAliases', 'PublishVersion', 'UpdateFunctionCode'],
    'UpdateFunctionConfiguration',
  ];
  return [
    new PolicyStatement({
      actions: actions.map((name) => `lambda:${name}`),
      resources: [`arn:${Aws.PARTITION}:lambda:${region}:${account}:function:homeport-*`],
    }),
    // AWS has no narrower resource for this action.
    new PolicyStatement({ actions: ['lambda:ListFunctions'], resources: ['*'] }),
    new PolicyStatement({
      actions: ['iam:PassRole'],
      resources: [appRoleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } },
    }),
  ];
}
