import { beforeAll, describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';

/** Every rule about who may import what, broken once. A rule that is skipped shows as a failing row here. */
const FORBIDDEN = [
  ['libs/files/server/src/domain/seed.ts', '@nestjs/common'],
  ['libs/files/server/src/domain/seed.ts', '@aws-sdk/client-s3'],
  ['libs/files/server/src/domain/seed.ts', '../application/workspace'],
  ['libs/files/server/src/domain/seed.ts', '../adapters/memory/in-memory-object-store'],
  ['libs/files/server/src/application/seed.ts', '@nestjs/common'],
  ['libs/files/server/src/application/seed.ts', '@aws-sdk/client-s3'],
  ['libs/apps/server/src/application/seed.ts', 'typeorm'],
  ['libs/files/server/src/application/seed.ts', '../adapters/memory/in-memory-object-store'],
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
  ['libs/platform/contracts/src/seed.ts', '@homeport/files/contracts'],
  ['libs/apps/server/src/seed.ts', '../../../files/server/src/domain/workspace-key'],
  ['apps/api-e2e/src/seed.ts', '@homeport/files/server'],
] as const;

const ALLOWED = [
  ['libs/files/server/src/application/seed.ts', '@homeport/files/contracts'],
  ['libs/files/server/src/adapters/s3/seed.ts', '@aws-sdk/client-s3'],
  ['libs/files/server/src/seed.ts', '@homeport/identity/server'],
  ['libs/files/contracts/src/seed.ts', 'class-validator'],
  ['libs/files/web/src/seed.ts', '@homeport/platform/web'],
  ['apps/api/src/seed.ts', '@homeport/pricing/server'],
] as const;

const FORBIDDEN_CODE = [
  ['libs/files/server/src/domain/seed.ts', 'export const bucket = process.env.S3_BUCKET;'],
  ['apps/api/src/create-seed.ts', "export const port = process.env['PORT'];"],
  ['libs/files/web/src/seed.ts', 'export const anything: any = 1;'],
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
      expect.arrayContaining([expect.stringMatching(/enforce-module-boundaries|no-restricted-imports/)]),
    );
  });

  it.each(ALLOWED)('%s may import %s', async (file, target) => {
    expect(await lint(file, importing(target))).toEqual([]);
  });

  it.each(FORBIDDEN_CODE)('%s may not say %s', async (file, code) => {
    expect(await lint(file, code)).not.toEqual([]);
  });

  it('lets a main.ts read the environment', async () => {
    expect(await lint('apps/api/src/main.ts', "export const port = process.env['PORT'];")).toEqual([]);
  });
});
