import { z } from 'zod';
import type { S3Options } from '../storage/s3-client';
import { flag, headerText, httpUrl, text } from './variables';

/** The object storage variables, shared by all processes. Use them with `S3_KEY_PAIR_CHECK`. */
export const S3_VARIABLES = {
  S3_ENDPOINT: httpUrl
    .refine((value) => !URL.canParse(value) || !/[?#]/.test(value), 'contains a query or a fragment: remove it')
    .optional(),
  // The AWS SDK accepts no other names.
  S3_REGION: text
    .regex(/^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/, 'is not the name of a region: use letters, digits and hyphens')
    .default('us-east-1'),
  S3_BUCKET: text,
  S3_ACCESS_KEY_ID: headerText.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  S3_FORCE_PATH_STYLE: flag.default(false),
};

type S3Variables = z.infer<z.ZodObject<typeof S3_VARIABLES>>;

/** Checks that both halves of the access key are set, or neither. */
export const S3_KEY_PAIR_CHECK = z.refine<Pick<S3Variables, 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>>(
  ({ S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: key }) => (id === undefined) === (key === undefined),
  {
    path: ['S3_SECRET_ACCESS_KEY'],
    error: 'and S3_ACCESS_KEY_ID go together: set both or neither',
    // Runs when other variables are invalid too, so that all errors are reported at once.
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
