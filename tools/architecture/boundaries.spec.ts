import { beforeAll, describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';

/** Every rule about who may import what, broken once. A rule that is skipped shows as a failing row here. */
const FORBIDDEN = [
  ['libs/files/server/src/domain/seed.ts', '@nestjs/common'],
  ['libs/files/server/src/domain/seed.ts', '@aws-sdk/client-s3'],
  ['libs/files/server/src/domain/seed.ts', '../application/workspace'],
  ['libs/files/server/src/domain/seed.ts', '../adapters/memory/in-memory-object-store'],
  ['libs/files/server/src/domain/seed.ts', '../files.module'],
  ['libs/files/server/src/domain/seed.ts', './../files.module'],
  ['libs/files/server/src/domain/seed.ts', 'pino'],
  ['libs/files/server/src/domain/seed.ts', 'node:process'],
  ['libs/files/server/src/domain/seed.ts', '../testing/object-store.contract'],
  ['libs/identity/server/src/domain/seed.ts', 'openid-client'],
  ['libs/identity/server/src/tokens/domain/seed.ts', '../../application/clock'],
  ['libs/identity/server/src/tokens/application/seed.ts', '../../adapters/jwks/jwks-key-set'],
  ['libs/files/server/src/application/seed.ts', '@nestjs/common'],
  ['libs/files/server/src/application/seed.ts', '../files.module'],
  ['libs/files/server/src/application/seed.ts', 'pino'],
  ['libs/files/server/src/application/seed.ts', '../testing'],
  ['libs/files/server/src/application/seed.ts', '@aws-sdk/client-s3'],
  ['libs/files/server/src/application/seed.ts', '../adapters/memory/in-memory-object-store'],
  ['libs/files/server/src/domain/seed.ts', '@homeport/identity/server'],
  ['libs/files/server/src/application/seed.ts', '@homeport/identity/server'],
  ['libs/files/server/src/domain/seed.ts', '@homeport/platform/server/http'],
  ['libs/files/server/src/domain/seed.ts', '@homeport/platform/server/blobs'],
  ['libs/files/server/src/application/seed.ts', '@homeport/platform/server/database'],
  ['libs/files/server/src/application/seed.ts', '@homeport/platform/server/http'],
  ['libs/files/server/src/application/seed.ts', '@homeport/platform/server/postgres'],
  ['libs/files/server/src/application/seed.ts', '@homeport/platform/server/storage'],
  ['libs/apps/server/src/dns/domain/seed.ts', '../../apps.module'],
  ['libs/apps/server/src/dns/domain/seed.ts', '../application/dns-reconciler'],
  ['libs/apps/server/src/dns/domain/seed.ts', '../../registry/application/register-app'],
  ['libs/apps/server/src/dns/domain/seed.ts', '../adapters/memory/in-memory-dns-zone'],
  ['libs/apps/server/src/dns/domain/seed.ts', './../../apps.module'],
  ['libs/apps/server/src/dns/domain/seed.ts', '../../registry/../apps.module'],
  ['libs/apps/server/src/dns/domain/seed.ts', 'pino'],
  ['libs/apps/server/src/dns/domain/seed.ts', 'typeorm'],
  ['libs/apps/server/src/dns/application/seed.ts', '../../apps.module'],
  ['libs/apps/server/src/dns/application/seed.ts', '../adapters/memory/in-memory-dns-zone'],
  ['libs/apps/server/src/dns/application/seed.ts', '../../registry/adapters/postgres/postgres-app-repository'],
  ['libs/apps/server/src/dns/application/seed.ts', '../../testing'],
  ['libs/apps/server/src/dns/application/seed.ts', '@nestjs/common'],
  ['libs/apps/server/src/dns/application/seed.ts', 'typeorm'],
  ['libs/kernel/src/seed.ts', '@homeport/identity/contracts'],
  ['libs/kernel/src/seed.ts', '@homeport/platform/server/limits'],
  ['libs/kernel/src/seed.ts', 'class-validator'],
  ['libs/kernel/src/seed.ts', 'node:crypto'],
  ['libs/hosting/server/src/seed.ts', '@nestjs/common'],
  ['libs/hosting/server/src/seed.ts', 'typeorm'],
  ['libs/hosting/server/src/seed.ts', 'reflect-metadata'],
  ['libs/hosting/server/src/seed.ts', '@homeport/platform/server/database'],
  ['libs/hosting/server/src/seed.ts', '@homeport/platform/server/http'],
  ['libs/hosting/server/src/seed.ts', '@homeport/identity/server'],
  ['libs/hosting/server/src/seed.ts', '@homeport/apps/server'],
  ['libs/hosting/server/src/seed.spec.ts', '@homeport/apps/server'],
  ['libs/hosting/server/src/adapters/http/seed.ts', '@nestjs/common'],
  ['libs/hosting/server/src/application/seed.ts', '@homeport/apps/contracts'],
  ['libs/hosting/contracts/src/seed.ts', '@homeport/apps/contracts'],
  ['libs/apps/server/src/seed.ts', '@homeport/hosting/server'],
  ['libs/hosting/server/src/application/seed.ts', '@homeport/identity/server'],
  ['libs/hosting/server/src/domain/seed.ts', '@homeport/organizations/server'],
  ['libs/hosting/server/src/testing/seed.ts', '@homeport/pricing/server'],
  ['libs/hosting/server/src/testing/seed.ts', '@homeport/apps/web'],
  ['libs/organizations/server/src/seed.ts', '@homeport/apps/server'],
  ['libs/organizations/server/src/application/seed.ts', 'typeorm'],
  ['libs/identity/server/src/seed.ts', '@homeport/organizations/server'],
  ['libs/platform/server/src/seed.ts', '@homeport/organizations/server'],
  ['apps/edge/src/seed.ts', '@homeport/apps/server'],
  ['apps/edge/src/seed.ts', '@nestjs/common'],
  ['apps/edge/src/seed.ts', 'typeorm'],
  ['apps/edge/src/seed.ts', '@homeport/platform/server/database'],
  ['apps/runtime/src/seed.ts', '@homeport/apps/server'],
  ['apps/runtime/src/seed.ts', '@nestjs/common'],
  ['libs/files/server/src/seed.ts', '@homeport/pricing/server'],
  ['libs/files/server/src/seed.ts', '@homeport/apps/contracts'],
  ['libs/pricing/server/src/seed.ts', '@homeport/files/server'],
  ['libs/apps/server/src/seed.ts', '@homeport/pricing/contracts'],
  ['libs/files/server/src/seed.ts', '@angular/core'],
  ['libs/files/web/src/seed.ts', '@homeport/files/server'],
  ['libs/files/web/src/seed.ts', '@homeport/apps/web'],
  ['libs/files/web/src/seed.ts', '@nestjs/common'],
  ['libs/files/web/src/seed.ts', 'class-validator'],
  ['libs/files/contracts/src/seed.ts', '@nestjs/common'],
  ['libs/files/contracts/src/seed.ts', '@homeport/files/server'],
  ['libs/identity/server/src/seed.ts', '@homeport/apps/server'],
  ['libs/platform/server/src/seed.ts', '@homeport/identity/server'],
  ['libs/platform/server/src/seed.ts', '@homeport/files/contracts'],
  ['libs/apps/server/src/seed.ts', '../../../files/server/src/domain/workspace-key'],
  ['libs/files/server/src/adapters/s3/seed.ts', '@homeport/platform/server/testing'],
  ['libs/files/server/src/adapters/s3/seed.ts', '../../testing/object-store.contract'],
  ['libs/files/server/src/adapters/s3/seed.ts', '../../testing'],
  ['libs/files/server/src/adapters/s3/seed.ts', 'node:process'],
  ['libs/files/server/src/seed.ts', './testing'],
  ['libs/files/server/src/seed.ts', '@homeport/dev-services'],
  ['libs/files/server/src/seed.spec.ts', '@homeport/dev-services'],
  ['libs/files/server/src/adapters/s3/seed.int.spec.ts', '@homeport/pricing/server'],
  ['libs/files/server/src/seed.ts', 'fast-check'],
  ['libs/files/contracts/src/seed.ts', 'node:crypto'],
  ['libs/files/contracts/src/seed.ts', 'fs'],
  ['libs/files/contracts/src/seed.ts', 'fast-check'],
  ['libs/files/contracts/src/seed.ts', '@jest/globals'],
  ['libs/files/web/src/seed.ts', 'node:path'],
  ['libs/files/web/src/seed.ts', 'pino'],
  ['libs/files/web/src/seed.ts', 'openid-client'],
  ['libs/files/web/src/seed.ts', '@jest/globals'],
  ['apps/client/src/app/seed.ts', 'node:path'],
  ['apps/client/src/app/seed.ts', 'openid-client'],
  ['apps/api/src/seed.ts', '@homeport/files/server/testing'],
  ['apps/api/src/seed.ts', 'node:process'],
  ['apps/edge/src/seed.ts', '@homeport/hosting/server/testing'],
  ['apps/edge/src/seed.ts', '@angular/core'],
  ['libs/api-client/src/seed.ts', '@homeport/kernel'],
  ['libs/api-client/src/seed.ts', '@homeport/apps/contracts'],
  ['libs/api-client/src/seed.ts', 'node:fs'],
  ['libs/api-client/src/seed.ts', 'undici'],
  ['apps/cli/src/seed.ts', '@homeport/apps/contracts'],
  ['apps/cli/src/commands/seed.ts', '@homeport/identity/server'],
  ['apps/cli/src/commands/seed.ts', 'node:process'],
  ['libs/apps/server/src/seed.ts', '@homeport/api-client'],
  ['tools/bootstrap/seed.ts', 'node:process'],
  ['apps/api-e2e/src/seed.ts', '@homeport/files/server'],
  ['apps/cli-e2e/src/seed.ts', '@homeport/cli/run'],
  ['apps/client-e2e/src/seed.ts', '@homeport/apps/server/testing'],
] as const;

const ALLOWED = [
  ['libs/files/server/src/domain/seed.ts', './workspace-key'],
  ['libs/apps/server/src/dns/domain/seed.ts', './dns-record'],
  ['libs/apps/server/src/dns/domain/seed.ts', '../../registry/domain/subdomain'],
  ['libs/apps/server/src/dns/domain/seed.ts', '@homeport/kernel'],
  ['libs/apps/server/src/dns/domain/seed.ts', '@homeport/hosting/contracts'],
  ['libs/identity/server/src/tokens/domain/seed.ts', '../../domain/identity.errors'],
  ['libs/identity/server/src/tokens/application/seed.ts', '../../application/clock'],
  ['libs/apps/server/src/dns/application/seed.ts', './dns-zone.port'],
  ['libs/apps/server/src/dns/application/seed.ts', '../domain/dns-record'],
  ['libs/apps/server/src/dns/application/seed.ts', '../../registry/application/app-repository.port'],
  ['libs/apps/server/src/dns/application/seed.ts', '../../registry/domain/subdomain'],
  ['libs/apps/server/src/dns/application/seed.ts', '@homeport/platform/server/blobs'],
  ['libs/hosting/server/src/application/seed.ts', 'lru-cache'],
  ['libs/hosting/server/src/seed.ts', '@homeport/platform/server/node-http'],
  ['libs/hosting/server/src/seed.ts', '@homeport/platform/server/postgres'],
  ['libs/hosting/server/src/seed.int.spec.ts', '@homeport/apps/server/testing'],
  ['libs/hosting/server/src/testing/seed.ts', '@homeport/apps/server'],
  ['libs/files/server/src/seed.ts', '@homeport/organizations/server'],
  ['libs/kernel/src/seed.spec.ts', 'fast-check'],
  ['libs/files/server/src/domain/seed.ts', 'node:crypto'],
  ['libs/files/server/src/domain/seed.ts', 'mime'],
  ['libs/pricing/server/src/domain/seed.ts', 'zod'],
  ['libs/files/server/src/domain/seed.ts', '@homeport/files/contracts'],
  ['libs/files/server/src/domain/seed.ts', '@homeport/identity/contracts'],
  ['libs/files/server/src/application/seed.ts', '../domain/workspace-key'],
  ['libs/files/server/src/application/seed.ts', '@homeport/files/contracts'],
  ['libs/files/server/src/adapters/s3/seed.ts', '@aws-sdk/client-s3'],
  ['libs/files/server/src/adapters/s3/seed.int.spec.ts', '@homeport/platform/server/testing'],
  ['libs/files/server/src/adapters/s3/seed.int.spec.ts', '../../testing/object-store.contract'],
  ['libs/files/server/src/adapters/s3/seed.int.spec.ts', '@homeport/dev-services'],
  ['libs/files/server/src/application/seed.spec.ts', '../testing'],
  ['libs/files/server/src/testing/seed.ts', './object-store.contract'],
  ['libs/files/server/src/testing/seed.contract.ts', '@jest/globals'],
  ['libs/files/server/src/seed.ts', '@homeport/identity/server'],
  ['libs/files/contracts/src/seed.ts', 'class-validator'],
  ['libs/files/contracts/src/seed.spec.ts', 'fast-check'],
  ['libs/files/web/src/seed.ts', '@homeport/platform/web'],
  ['apps/api/src/seed.ts', '@homeport/pricing/server'],
  ['apps/edge/src/seed.ts', '@homeport/hosting/server'],
  ['apps/api-e2e/src/seed.ts', '@homeport/apps/server/testing'],
  ['apps/api-e2e/src/seed.ts', '@homeport/dev-services'],
  ['apps/cli/src/commands/seed.ts', '@homeport/api-client'],
  ['apps/cli/src/seed.ts', '@homeport/kernel'],
  ['apps/cli/src/seed.ts', 'yargs'],
  ['apps/cli-e2e/src/seed.ts', '@homeport/dev-services'],
  ['apps/cli-e2e/src/command-in-process.ts', '@homeport/cli/run'],
  ['apps/cli-e2e/src/seed.ts', '@homeport/hosting/server/testing/visit'],
] as const;

const FORBIDDEN_CODE = [
  ['libs/files/server/src/domain/seed.ts', 'export const bucket = process.env.S3_BUCKET;', 'no-restricted-properties'],
  ['apps/edge/src/start-seed.ts', "export const port = process.env['PORT'];", 'no-restricted-properties'],
  ['apps/api/src/create-seed.ts', "export const port = process.env['PORT'];", 'no-restricted-properties'],
  ['apps/api/src/create-seed.ts', "export { env } from 'node:process';", 'no-restricted-syntax'],
  ['libs/files/server/src/domain/seed.ts', "export const nest = import('@nestjs/common');", 'no-restricted-syntax'],
  [
    'libs/files/server/src/application/seed.ts',
    "export const nest = import('@nestjs/common');",
    'no-restricted-syntax',
  ],
  ['libs/files/server/src/domain/seed.ts', 'export const load = (n: string) => import(n);', 'no-restricted-syntax'],
  ['libs/files/server/src/domain/seed.ts', "export { Module } from '@nestjs/common';", 'no-restricted-syntax'],
  ['libs/files/server/src/domain/seed.ts', "export type Log = import('pino').Logger;", 'no-restricted-syntax'],
  [
    'libs/files/server/src/adapters/s3/seed.ts',
    "export const suite = import('../../testing');",
    'no-restricted-syntax',
  ],
  ['libs/files/contracts/src/seed.ts', "export const crypto = import('node:crypto');", 'no-restricted-syntax'],
  ['libs/files/web/src/seed.ts', "export const path = import('node:path');", 'no-restricted-syntax'],
  ['libs/files/web/src/seed.ts', 'export const anything: any = 1;', '@typescript-eslint/no-explicit-any'],
  ...['libs/files/contracts', 'libs/files/server', 'libs/files/web', 'apps/api', 'apps/client', 'apps/api-e2e'].map(
    (project) => [`${project}/src/seed.ts`, "export * from './index';", 'no-restricted-syntax'] as const,
  ),
  ['libs/files/server/src/domain/seed.ts', "export * from './workspace-key';", 'no-restricted-syntax'],
  ['libs/files/server/src/testing/seed.ts', "export * from './object-store.contract';", 'no-restricted-syntax'],
  ['tools/bootstrap/seed.ts', "export * as ports from '../dev-services/ports.ts';", 'no-restricted-syntax'],
] as const;

describe('the walls of the architecture', () => {
  let eslint: ESLint;

  beforeAll(() => {
    eslint = new ESLint();
  });

  const lint = async (file: string, code: string) => {
    const [result] = await eslint.lintText(code, { filePath: file });
    return result?.messages ?? [];
  };
  const importing = (target: string) => `import * as seed from '${target}';\nexport { seed };\n`;

  it.each(FORBIDDEN)('%s may not import %s', async (file, target) => {
    const messages = await lint(file, importing(target));
    expect(messages.filter(({ severity }) => severity === 1)).toEqual([]);
    expect(messages.map(({ ruleId }) => ruleId)).toEqual(
      expect.arrayContaining([expect.stringMatching(/enforce-module-boundaries|no-restricted-syntax/)]),
    );
  });

  it.each(ALLOWED)('%s may import %s', async (file, target) => {
    expect(await lint(file, importing(target))).toEqual([]);
  });

  it.each(FORBIDDEN_CODE)('%s may not say %s', async (file, code, rule) => {
    expect((await lint(file, code)).map(({ ruleId }) => ruleId)).toContain(rule);
  });

  it('lets a main.ts read the environment', async () => {
    expect(await lint('apps/api/src/main.ts', "export const port = process.env['PORT'];")).toEqual([]);
  });
});
