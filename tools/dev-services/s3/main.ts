import { runServiceProcess } from '../service-process.ts';
import type { RunningService } from '../service-process.ts';
import { ownCredentials } from './credentials.ts';
import { startS3 } from './index.ts';
import type { RunningS3 } from './index.ts';
import type { Credentials } from './protocol/signature.ts';
import { readSettings } from './settings.ts';

const { env } = process;
const supervised = process.send !== undefined;

interface StandaloneServer extends RunningService, RunningS3 {
  readonly credentials: Credentials;
  readonly bucket: string;
}

async function start(): Promise<StandaloneServer> {
  const { dataDir, port, bucket, credentials: given } = readSettings(env, supervised);
  const credentials = given ?? (await ownCredentials(dataDir));
  const running = await startS3({ dataDir, port, ...credentials, buckets: [bucket] });
  return { ...running, credentials, bucket };
}

/** A supervisor already has the keys; a person gets a complete example command. */
function addresses({ port, endpoint, credentials, bucket }: StandaloneServer): Record<string, unknown> {
  if (supervised) return { port, endpoint };
  const { accessKeyId, secretAccessKey } = credentials;
  const keys = `AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey} AWS_REGION=us-east-1`;
  const example = `${keys} aws --endpoint-url ${endpoint} s3 ls s3://${bucket}`;
  return { endpoint, bucket, accessKeyId, secretAccessKey, example };
}

runServiceProcess({ name: 's3', env, start, addresses });
