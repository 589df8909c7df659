import { SetupFailed } from '../errors.ts';
import type { Credentials } from './protocol/signature.ts';

export interface Settings {
  readonly dataDir: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly bucket: string;
  /** Undefined uses the server's generated credentials. */
  readonly credentials: Credentials | undefined;
}

/**
 * Reads the environment. Throws SetupFailed naming the invalid variable.
 * @param supervised whether another process started this one; it must then provide the keys, because it needs them too
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>, supervised: boolean): Settings {
  const credentials = readCredentials(env);
  if (supervised && !credentials) throw new SetupFailed('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are required');
  return {
    dataDir: env['DATA_DIR'] || '.data',
    port: readPort(env['S3_PORT']),
    bucket: env['S3_BUCKET'] || 'homeport-files',
    credentials,
  };
}

function readCredentials(env: Readonly<Record<string, string | undefined>>): Credentials | undefined {
  const accessKeyId = env['S3_ACCESS_KEY_ID'];
  const secretAccessKey = env['S3_SECRET_ACCESS_KEY'];
  if (!accessKeyId && !secretAccessKey) return undefined;
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  throw new SetupFailed('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set both or neither');
}

function readPort(value: string | undefined): number {
  if (!value) return 0;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : NaN;
  if (!(port <= 65535)) throw new SetupFailed(`S3_PORT must be a number from 0 to 65535, not "${value}"`);
  return port;
}
