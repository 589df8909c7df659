import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { loadOrCreate } from '../private-file.ts';
import type { Credentials } from './protocol/signature.ts';

const credentialsFile = z.object({ accessKeyId: z.string().min(1), secretAccessKey: z.string().min(1) });

/** Returns the credentials in `${dataDir}/s3/credentials.json`, created on first use and readable by the owner only. */
export function ownCredentials(dataDir: string): Promise<Credentials> {
  return loadOrCreate(join(dataDir, 's3', 'credentials.json'), credentialsFile, () => ({
    accessKeyId: `HP${randomBytes(9).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
  }));
}
