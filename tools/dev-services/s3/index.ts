import { join } from 'node:path';
import { hasCode, SetupFailed } from '../errors.ts';
import type { RunningService } from '../service-process.ts';
import { reportToConsole } from './report.ts';
import type { Report } from './report.ts';
import { S3Server } from './server.ts';
import { Storage } from './storage/storage.ts';

export interface S3Options {
  /** Everything lives in `${dataDir}/s3`, made when absent. */
  dataDir: string;
  /** 127.0.0.1 when absent. The server is for development: it refuses addresses other machines could reach. */
  host?: string;
  /** 0 or absent: a free one. */
  port?: number;
  accessKeyId: string;
  secretAccessKey: string;
  /** Created when absent. */
  buckets: readonly string[];
  /** Told about damage the server survived; the console when absent. */
  report?: Report;
}

export interface RunningS3 extends RunningService {
  port: number;
  /** Such as `http://127.0.0.1:9000`. */
  endpoint: string;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Object storage with the S3 API on this machine. What was acknowledged survives any crash. Throws SetupFailed with what
 * to do when the port or the folder cannot be had, and S3Error for a bucket name S3 does not allow.
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
