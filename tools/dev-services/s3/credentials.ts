import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../durable-file.ts';
import { hasCode, SetupFailed } from '../errors.ts';
import type { Credentials } from './protocol/signature.ts';

/** The pair kept in `${dataDir}/s3/credentials.json`, made on first use and readable by its owner only. */
export async function ownCredentials(dataDir: string): Promise<Credentials> {
  const folder = join(dataDir, 's3');
  const path = join(folder, 'credentials.json');
  const kept = await read(path);
  if (kept) return kept;
  const made = {
    accessKeyId: `HP${randomBytes(9).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeDurably(path, `${JSON.stringify(made, undefined, 2)}\n`, 0o600);
  return made;
}

async function read(path: string): Promise<Credentials | undefined> {
  try {
    const { accessKeyId, secretAccessKey } = JSON.parse(await readFile(path, 'utf8')) as Partial<Credentials>;
    if (!accessKeyId || !secretAccessKey) throw new SyntaxError('keys are missing');
    return { accessKeyId, secretAccessKey };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (error instanceof SyntaxError)
      throw new SetupFailed(`${path} is damaged (${error.message}); remove it to get new keys`);
    throw error;
  }
}
