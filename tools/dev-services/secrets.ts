import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from './durable-file.ts';
import { hasCode, SetupFailed } from './errors.ts';

const secretsFile = z.object({
  sessionKeys: z.string(),
  s3AccessKeyId: z.string(),
  s3SecretAccessKey: z.string(),
  authClientSecret: z.string(),
});

export type Secrets = z.infer<typeof secretsFile>;

/** What the product needs to keep to itself, made once into `${dataDir}/secrets.json`. */
export async function openSecrets(dataDir: string): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, 'secrets.json');
  const present = await readSecrets(path);
  if (present) return present;
  const secrets = {
    sessionKeys: randomBytes(32).toString('base64'),
    s3AccessKeyId: `HOMEPORT${randomBytes(6).toString('hex').toUpperCase()}`,
    s3SecretAccessKey: randomBytes(30).toString('base64url'),
    authClientSecret: randomBytes(32).toString('base64url'),
  };
  await writeDurably(path, `${JSON.stringify(secrets, undefined, 2)}\n`);
  return secrets;
}

async function readSecrets(path: string): Promise<Secrets | undefined> {
  try {
    return secretsFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (hasCode(error, 'EACCES', 'EPERM')) throw error;
    throw new SetupFailed(`${path} is damaged. Remove it to get new secrets (sessions end), or run "npm run reset".`);
  }
}
