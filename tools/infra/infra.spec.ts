import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeAlarms } from './testing/alarm-cases.ts';
import { containersOf } from './testing/containers.ts';
import { describeData } from './testing/data-cases.ts';
import { describePrograms } from './testing/program-cases.ts';
import { describeRoles } from './testing/role-cases.ts';
import { describeDistribution } from './testing/surface-cases.ts';
import { allOf, onlyOf, synthesise } from './testing/synthesis.ts';

/** One synthesis for all cases, checked by cdk-nag. `schemas.spec.ts` compares it with the schemas of CloudFormation. */
const installation = synthesise();

describe('the stacks on AWS', () => {
  it('explain each accepted finding of cdk-nag', () => {
    const accepted = installation.acknowledgments.filter(({ id }) => id.startsWith('AwsSolutions'));
    expect(accepted.length).toBeGreaterThan(10);
    // Reasons are for one finding: none accepts all wildcards of a role.
    expect(accepted.filter(({ id, reason }) => reason.length < 15 || id === 'AwsSolutions-IAM5')).toEqual([]);
  });

  it('look nothing up in an account', () => {
    expect(installation.lookups).toEqual([]);
  });

  it('upload no image, and no file but the functions of the CDK and the templates', () => {
    expect(installation.assets.filter((kind) => kind !== 'file')).toEqual([]);
    expect(installation.assets.length).toBeLessThan(10);
  });

  describePrograms(installation);
  describeRoles(installation);
  describeDistribution(installation);
  describeData(installation);
  describeAlarms(installation);
});

describe('another installation', () => {
  const database = { kind: 'given', urlSecret: 'homeport/database-url' };
  const { Homeport: resources } = synthesise({ size: 'medium', runtime: 'off', database }).resources;

  it('uses a given database', () => {
    expect(allOf(resources, 'AWS::RDS::DBInstance')).toEqual([]);
    expect(JSON.stringify(containersOf(resources))).toContain('homeport/database-url');
  });

  it('runs no servers of apps', () => {
    expect(containersOf(resources).map(({ Name }) => Name)).toEqual(['prepare', 'api', 'prepare', 'edge']);
    expect(JSON.stringify(allOf(resources, 'AWS::IAM::Policy'))).not.toContain('lambda:');
    const variables = containersOf(resources).flatMap(({ Environment = [] }) => Environment);
    expect(variables.filter(({ Name }) => Name.startsWith('RUNTIME'))).toEqual([{ Name: 'RUNTIME', Value: 'off' }]);
  });

  it('has a way out of each zone', () => {
    expect(allOf(resources, 'AWS::EC2::NatGateway')).toHaveLength(2);
    expect(onlyOf(resources, 'AWS::EC2::VPC')).toBeDefined();
  });
});

describe('the checks', () => {
  it('stop the synthesis when cdk-nag finds something', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'testing/open-bucket.ts')], {
      encoding: 'utf8',
      env: {},
    });
    expect(status).toBe(1);
    expect(stderr).toContain('AwsSolutions-S10');
  });
});
