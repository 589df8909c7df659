import { z } from 'zod';
import type { S3Options } from '../storage/s3-client';
import { flag, httpUrl, text } from './variables';

/** Where object storage is; the same in every process. `S3_KEY_PAIR_CHECK` belongs to them. */
export const S3_VARIABLES = {
  S3_ENDPOINT: httpUrl.optional(),
  S3_REGION: text.default('us-east-1'),
  S3_BUCKET: text,
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  S3_FORCE_PATH_STYLE: flag.default(false),
};

type S3Variables = z.infer<z.ZodObject<typeof S3_VARIABLES>>;

/** The check of an object that has `S3_VARIABLES`: a key has two halves. */
export const S3_KEY_PAIR_CHECK = z.refine<Pick<S3Variables, 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>>(
  ({ S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: key }) => (id === undefined) === (key === undefined),
  {
    path: ['S3_SECRET_ACCESS_KEY'],
    error: 'and S3_ACCESS_KEY_ID go together: set both or neither',
    // Also when something else is wrong: faults are reported all at once.
    when: () => true,
  },
);

export function s3OptionsOf(config: S3Variables): S3Options {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  return {
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    ...(config.S3_ENDPOINT === undefined ? {} : { endpoint: config.S3_ENDPOINT }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
  };
}
