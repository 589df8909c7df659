import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { statementsOf } from './statements.ts';
import { allOf, type Synthesis } from './synthesis.ts';

const ZONE = 'arn:aws:route53:::hostedzone/<HomeportBase:PlatformZone>';
const FILES = '<StorageFiles.Arn>';
const SECRET = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:homeport';
const NAMES = 'route53:ChangeResourceRecordSetsNormalizedRecordNames';
const READ_SECRET = 'Allow secretsmanager:DescribeSecret secretsmanager:GetSecretValue on';
const PULL = 'Allow ecr:BatchCheckLayerAvailability ecr:BatchGetImage ecr:GetDownloadUrlForLayer on';
const WRITE_LOG = 'Allow logs:CreateLogStream logs:PutLogEvents on';

/** The permissions for Lambda in docs/operations.md. */
function documentedLambdaActions(): string[] {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  return [...page.matchAll(/^ +"(lambda:\w+)",?$/gm)].map(([, action]) => action as string).sort();
}

/** Each statement of each role. A new one fails here first. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  ApiTaskTaskRole: [
    `Allow route53:ChangeResourceRecordSets on ${ZONE} if ${JSON.stringify({
      'ForAllValues:StringEquals': {
        'route53:ChangeResourceRecordSetsRecordTypes': ['CNAME'],
        'route53:ChangeResourceRecordSetsActions': ['CREATE', 'DELETE'],
      },
      'ForAllValues:StringLike': { [NAMES]: ['*.homeport-apps.example'] },
      Null: {
        'route53:ChangeResourceRecordSetsRecordTypes': 'false',
        'route53:ChangeResourceRecordSetsActions': 'false',
        [NAMES]: 'false',
      },
    })}`,
    `Deny route53:ChangeResourceRecordSets on ${ZONE} if ${JSON.stringify({
      'ForAnyValue:StringLike': {
        [NAMES]: ['\\052.homeport-apps.example', '_*.homeport-apps.example', '*.*.homeport-apps.example'],
      },
    })}`,
    `Allow route53:ListResourceRecordSets on ${ZONE}`,
    'Allow route53:GetChange on arn:aws:route53:::change/*',
    `Allow s3:AbortMultipartUpload s3:DeleteObject s3:GetObject s3:ListMultipartUploadParts s3:PutObject on ${FILES}/u/*`,
    `Allow s3:DeleteObject s3:GetObject s3:PutObject on ${FILES}/sites/*`,
    `Allow s3:ListBucket s3:ListBucketMultipartUploads on ${FILES}`,
  ],
  EdgeTaskTaskRole: [
    `Allow s3:GetObject on ${FILES}/sites/*`,
    `Allow s3:ListBucket on ${FILES} if {"StringLike":{"s3:prefix":"sites/*"}}`,
    `Allow ${documentedLambdaActions().join(' ')} on arn:aws:lambda:eu-central-1:111122223333:function:homeport-*`,
    'Allow lambda:ListFunctions on *',
    'Allow iam:PassRole on <AppRole.Arn> if {"StringEquals":{"iam:PassedToService":"lambda.amazonaws.com"}}',
  ],
  AppRole: [],
  ApiTaskExecutionRole: [
    `${PULL} <HomeportBase:apiImages>`,
    'Allow ecr:GetAuthorizationToken on *',
    `${WRITE_LOG} <ApiTaskLog.Arn>`,
    `${READ_SECRET} <DatabaseUrl>`,
    `${READ_SECRET} <SignInClientSecret>`,
    `${READ_SECRET} ${SECRET}/session-keys-??????`,
    `${READ_SECRET} ${SECRET}/secrets-keys-??????`,
  ],
  EdgeTaskExecutionRole: [
    `${PULL} <HomeportBase:edgeImages>`,
    `${PULL} <HomeportBase:runtimeImages>`,
    'Allow ecr:GetAuthorizationToken on *',
    `${WRITE_LOG} <EdgeTaskLog.Arn>`,
    `${READ_SECRET} <DatabaseUrl>`,
    `${READ_SECRET} ${SECRET}/secrets-keys-??????`,
  ],
  SignInClaimsRole: [`${WRITE_LOG} <SignInClaimsLog.Arn>`],
  NetworkFlowsIAMRole: ['Allow logs:CreateLogStream logs:DescribeLogStreams logs:PutLogEvents on <NetworkFlowLog.Arn>'],
  // Of the CDK: passes the zone and the certificate on between regions.
  CustomCrossRegionExportReader: [
    'Allow ssm:AddTagsToResource ssm:GetParameters ssm:RemoveTagsFromResource on arn:aws:ssm:eu-central-1:111122223333:parameter/cdk/exports/Homeport/*',
  ],
};

export function describeRoles({ resources }: Synthesis): void {
  describe('roles', () => {
    it.each(Object.entries(STATEMENTS))('gives %s exactly these permissions', (role, statements) => {
      expect(statementsOf(resources.Homeport, role).sort()).toEqual([...statements].sort());
    });

    it('has no other role, and no policy that AWS manages but for the functions of the CDK', () => {
      const roles = Object.entries(resources.Homeport).filter(([, { Type }]) => Type === 'AWS::IAM::Role');
      const unknown = roles.filter(([id]) => !Object.keys(STATEMENTS).some((name) => id.startsWith(name)));
      expect(unknown.map(([id]) => id)).toEqual([]);
      const managed = roles.filter(([, { Properties: role }]) => role['ManagedPolicyArns'] !== undefined);
      expect(managed.map(([id]) => id.slice(0, 23))).toEqual(['CustomCrossRegionExport']);
    });

    it('uses * as resource only where AWS has no narrower one', () => {
      const all = Object.values(resources).flatMap((stack) => statementsOf(stack, ''));
      expect(all.filter((line) => / on \*(?: if|$)/.test(line)).sort()).toEqual([
        'Allow ecr:GetAuthorizationToken on *',
        'Allow ecr:GetAuthorizationToken on *',
        'Allow lambda:ListFunctions on *',
      ]);
      expect(all.filter((line) => /(?:Allow|Deny)[^*]*:\*? on|Allow \* /.test(line))).toEqual([]);
    });

    it('lets only AWS services assume roles', () => {
      const assumed = Object.values(resources)
        .flatMap((stack) => allOf(stack, 'AWS::IAM::Role'))
        .map(({ Properties: role }) => JSON.stringify(role['AssumeRolePolicyDocument']));
      expect(assumed.filter((policy) => !/"Principal":\{"Service":"[\w.-]+"\}/.test(policy))).toEqual([]);
    });
  });
}
