import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { loadOrCreate } from './private-file.ts';

const secretsFile = z.object({
  sessionKeys: z.string(),
  s3AccessKeyId: z.string(),
  s3SecretAccessKey: z.string(),
  authClientSecret: z.string(),
});

export interface Secrets extends z.infer<typeof secretsFile> {
  /** Encrypts the variables of apps. */
  readonly secretsKeys: string;
}

/** Returns the product's secrets, generated once into `${dataDir}`. */
export async function openSecrets(dataDir: string): Promise<Secrets> {
  // The folder itself is not private, because PostgreSQL may run as another user.
  await mkdir(dataDir, { recursive: true });
  const secrets = await loadOrCreate(join(dataDir, 'secrets.json'), secretsFile, () => ({
    sessionKeys: randomBytes(32).toString('base64'),
    s3AccessKeyId: `HOMEPORT${randomBytes(6).toString('hex').toUpperCase()}`,
    s3SecretAccessKey: randomBytes(30).toString('base64url'),
    authClientSecret: randomBytes(32).toString('base64url'),
  }));
  // A separate file, because data folders of earlier versions lack it.
  const secretsKeys = await loadOrCreate(
    join(dataDir, 'secrets-keys.json'),
    z.string(),
    () => `1:${randomBytes(32).toString('base64')}`,
  );
  return { ...secrets, secretsKeys };
}
