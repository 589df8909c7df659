import { runEntry } from '../service-entry.ts';
import type { Running } from '../service-entry.ts';
import { ownCredentials } from './credentials.ts';
import { startS3 } from './index.ts';
import type { RunningS3 } from './index.ts';
import type { Credentials } from './protocol/signature.ts';
import { readSettings } from './settings.ts';

const { env } = process;
const supervised = process.send !== undefined;

interface RunningAlone extends Running, RunningS3 {
  readonly credentials: Credentials;
  readonly bucket: string;
}

async function start(): Promise<RunningAlone> {
  const { dataDir, port, bucket, credentials: given } = readSettings(env, supervised);
  const credentials = given ?? (await ownCredentials(dataDir));
  const running = await startS3({ dataDir, port, ...credentials, buckets: [bucket] });
  return { ...running, credentials, bucket };
}

/** A supervisor knows the keys; a person gets everything to try the server out at once. */
function addresses({ port, endpoint, credentials, bucket }: RunningAlone): Record<string, unknown> {
  if (supervised) return { port, endpoint };
  const { accessKeyId, secretAccessKey } = credentials;
  const keys = `AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey} AWS_REGION=us-east-1`;
  const example = `${keys} aws --endpoint-url ${endpoint} s3 ls s3://${bucket}`;
  return { endpoint, bucket, accessKeyId, secretAccessKey, example };
}

runEntry({ name: 's3', env, start, addresses });
