import { describe, expect, it } from '@jest/globals';
import { allOf, onlyOf, type Properties, type Synthesis, textOf } from './synthesis.ts';

export function describeData({ resources: { Homeport: resources } }: Synthesis): void {
  describe('buckets', () => {
    it.each(allOf(resources, 'AWS::S3::Bucket').map((bucket) => [bucket] as const))(
      'are private, encrypted, versioned, and survive the stack',
      ({ Properties: bucket, DeletionPolicy }) => {
        expect(bucket).toMatchObject({
          VersioningConfiguration: { Status: 'Enabled' },
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: true,
            BlockPublicPolicy: true,
            IgnorePublicAcls: true,
            RestrictPublicBuckets: true,
          },
        });
        expect(JSON.stringify(bucket['BucketEncryption'])).toContain('"SSEAlgorithm":"AES256"');
        expect(DeletionPolicy).toBe('Retain');
      },
    );

    it('refuse connections without TLS', () => {
      const policies = allOf(resources, 'AWS::S3::BucketPolicy').map(({ Properties: policy }) =>
        JSON.stringify(policy),
      );
      expect(policies).toHaveLength(2);
      for (const policy of policies) expect(policy).toContain('{"Bool":{"aws:SecureTransport":"false"}}');
    });

    it('drop old versions and unfinished uploads of files', () => {
      const rules = allOf(resources, 'AWS::S3::Bucket').map(
        ({ Properties: bucket }) => bucket['LifecycleConfiguration'],
      );
      expect(JSON.stringify(rules)).toContain('"AbortIncompleteMultipartUpload":{"DaysAfterInitiation":2}');
      expect(JSON.stringify(rules)).toContain('"NoncurrentVersionExpiration":{"NoncurrentDays":35}');
    });
  });

  describe('the database', () => {
    it('is encrypted, backed up, private and protected', () => {
      const { Properties: instance, DeletionPolicy } = onlyOf(resources, 'AWS::RDS::DBInstance');
      expect(instance).toMatchObject({
        Engine: 'postgres',
        StorageEncrypted: true,
        PubliclyAccessible: false,
        BackupRetentionPeriod: 7,
        DeletionProtection: true,
      });
      expect(DeletionPolicy).toBe('Snapshot');
      expect(onlyOf(resources, 'AWS::RDS::DBParameterGroup').Properties['Parameters']).toEqual({
        'rds.force_ssl': '1',
      });
    });

    it('is reached over verified TLS with a password that no template contains', () => {
      const urls = allOf(resources, 'AWS::SecretsManager::Secret').map(({ Properties: secret }) =>
        textOf(secret['SecretString']),
      );
      expect(urls.find((url) => url.startsWith('postgresql:'))).toMatch(
        /^postgresql:\/\/homeport:\{\{resolve:secretsmanager:<\w+>:SecretString:password::\}\}@<[\w.]+>:5432\/homeport\?sslmode=verify-full&sslrootcert=\/etc\/homeport\/database-ca.pem$/,
      );
    });

    it('is reached by the programs only', () => {
      const ingress = allOf(resources, 'AWS::EC2::SecurityGroupIngress').filter(({ Properties: rule }) =>
        textOf(rule['GroupId']).startsWith('<DatabasePostgres'),
      );
      const sources = ingress.map(({ Properties: rule }) => [
        textOf(rule['SourceSecurityGroupId']).replace(/SecurityGroup.*/, ''),
        rule['FromPort'],
      ]);
      expect(sources.sort()).toEqual([
        ['<Api', 5432],
        ['<Edge', 5432],
      ]);
    });
  });

  describe('sign-in', () => {
    it('is open to people of the two providers only', () => {
      expect(onlyOf(resources, 'AWS::Cognito::UserPool').Properties).toMatchObject({
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        DeletionProtection: 'ACTIVE',
        UserPoolTier: 'ESSENTIALS',
        LambdaConfig: { PreTokenGenerationConfig: { LambdaVersion: 'V2_0' } },
      });
      expect(onlyOf(resources, 'AWS::Cognito::UserPoolClient').Properties).toMatchObject({
        SupportedIdentityProviders: ['northwind', 'globex'],
        AllowedOAuthFlows: ['code'],
        // With aws.cognito.signin.user.admin, people could change the attribute of their organization.
        AllowedOAuthScopes: ['openid', 'profile', 'email'],
        CallbackURLs: ['https://homeport.example.com/auth/callback'],
        GenerateSecret: true,
      });
      expect(onlyOf(resources, 'AWS::Cognito::UserPoolClient').Properties['ExplicitAuthFlows']).toEqual([
        'ALLOW_REFRESH_TOKEN_AUTH',
      ]);
    });

    it('takes the organization from the claim that the settings name', () => {
      const mapped = allOf(resources, 'AWS::Cognito::UserPoolIdentityProvider').map(
        ({ Properties: provider }) => (provider['AttributeMapping'] as Properties)['custom:organization'],
      );
      expect(mapped).toEqual([undefined, 'tenant']);
      const pool = onlyOf(resources, 'AWS::Cognito::UserPool').Properties;
      expect(pool['Schema']).toMatchObject([{ Name: 'organization', AttributeDataType: 'String' }]);
    });

    it('has the secrets of the providers in Secrets Manager', () => {
      const providers = allOf(resources, 'AWS::Cognito::UserPoolIdentityProvider').map(
        ({ Properties: { ProviderName, ProviderDetails } }) => [
          ProviderName,
          (ProviderDetails as Properties)['client_secret'],
        ],
      );
      expect(providers).toEqual([
        ['northwind', '{{resolve:secretsmanager:homeport/provider-northwind:SecretString:::}}'],
        ['globex', '{{resolve:secretsmanager:homeport/provider-globex:SecretString:::}}'],
      ]);
    });
  });

  describe('operation', () => {
    it('reports outages by mail', () => {
      const alarms = allOf(resources, 'AWS::CloudWatch::Alarm');
      expect(alarms.length).toBe(24);
      for (const { Properties: alarm } of alarms) {
        expect(textOf(alarm['AlarmDescription']).length).toBeGreaterThan(30);
        expect(JSON.stringify(alarm['AlarmActions'])).toMatch(/Alerts/);
      }
    });

    it('reports a program without tasks, and each outage that a program logs', () => {
      const alarmOf = (id: string) =>
        Object.entries(resources).find(
          ([name, { Type }]) => Type === 'AWS::CloudWatch::Alarm' && name.includes(id),
        )?.[1].Properties;
      for (const program of ['Api', 'Edge']) {
        expect(alarmOf(`${program}Absent`)).toMatchObject({ TreatMissingData: 'breaching', Threshold: 1 });
        expect(alarmOf(`${program}DependencyFailed`)).toMatchObject({ Threshold: 0, EvaluationPeriods: 1 });
      }
    });

    it('warns of costs', () => {
      const { Budget, NotificationsWithSubscribers: mails } = onlyOf(resources, 'AWS::Budgets::Budget').Properties;
      expect(Budget).toMatchObject({ BudgetLimit: { Amount: 400, Unit: 'USD' }, TimeUnit: 'MONTHLY' });
      expect(mails).toHaveLength(2);
    });
  });
}
