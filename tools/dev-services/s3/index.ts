import { join } from 'node:path';
import { hasCode, SetupFailed } from '../errors.ts';
import type { RunningService } from '../service-process.ts';
import { reportToConsole } from './report.ts';
import type { Report } from './report.ts';
import { S3Server } from './server.ts';
import { Storage } from './storage/storage.ts';

export interface S3Options {
  /** All data is in `${dataDir}/s3`, created when absent. */
  dataDir: string;
  /** Default: 127.0.0.1. The server is for development and rejects addresses that other machines can reach. */
  host?: string;
  /** 0 or absent picks a free port. */
  port?: number;
  accessKeyId: string;
  secretAccessKey: string;
  /** Created when absent. */
  buckets: readonly string[];
  /** Receives reports about damage that the server tolerated; the console by default. */
  report?: Report;
}

export interface RunningS3 extends RunningService {
  port: number;
  /** For example `http://127.0.0.1:9000`. */
  endpoint: string;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Starts an object storage with the S3 API on this machine. Confirmed writes survive any crash.
 * @throws {SetupFailed} with instructions when the port or the folder is unavailable.
 * @throws {S3Error} for a bucket name that S3 does not allow.
 */
export async function startS3(options: S3Options): Promise<RunningS3> {
  const { dataDir, host = '127.0.0.1', buckets, report = reportToConsole } = options;
  if (!LOOPBACK.has(host)) throw new SetupFailed(`the S3 server binds loopback addresses only, not ${host}`);
  const storage = openStorage(join(dataDir, 's3'), report);
  try {
    for (const bucket of buckets) if (!storage.has(bucket)) await storage.create(bucket);
    const { accessKeyId, secretAccessKey } = options;
    const server = new S3Server({ storage, credentials: { accessKeyId, secretAccessKey }, report });
    const port = await server.listen(host, options.port ?? 0);
    const close = async (): Promise<void> => {
      await server.close();
      await storage.close();
    };
    let closing: Promise<void> | undefined;
    return {
      port,
      endpoint: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function openStorage(path: string, report: Report): Storage {
  try {
    return new Storage(path, report);
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
      throw new SetupFailed(`${path} cannot be written; change its owner or set DATA_DIR (${error.message})`);
    }
    throw error;
  }
}
