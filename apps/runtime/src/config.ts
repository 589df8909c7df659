import { totalmem } from 'node:os';
import {
  DATABASE_VARIABLES,
  type Environment,
  logLevel,
  MANAGEMENT_VARIABLES,
  readEnvironment,
  secretsKeys,
  S3_KEY_PAIR_CHECK,
  S3_VARIABLES,
  text,
  TRACING_VARIABLES,
  wholeNumber,
} from '@homeport/platform/server/config';
import { z } from 'zod';

const MIB = 1024 ** 2;
const absolutePath = text.regex(/^\//, 'is not an absolute path');

const Variables = z
  .object({
    ...DATABASE_VARIABLES,
    ...S3_VARIABLES,
    ...MANAGEMENT_VARIABLES,
    ...TRACING_VARIABLES,
    NODE_ENV: text.optional(),
    LOG_LEVEL: logLevel.default('info'),
    RUNTIME_DIR: absolutePath,
    RUNTIME: z.enum(['pooled', 'lambda'], 'is not one of pooled and lambda').default('pooled'),
    RUNTIME_SANDBOX: z
      .enum(['bubblewrap', 'gvisor', 'bare'], 'is not one of bubblewrap, gvisor and bare')
      .default('bubblewrap'),
    RUNTIME_TENANCY: z.enum(['trusted', 'hostile'], 'is not one of trusted and hostile').optional(),
    RUNTIME_NODE: absolutePath.optional(),
    RUNTIME_MEMORY_BYTES: wholeNumber(256 * MIB, 1024 ** 4).default(Math.max(256 * MIB, Math.floor(totalmem() / 2))),
    SECRETS_KEYS: secretsKeys.optional(),
    AWS_ACCOUNT_ID: text.regex(/^\d{12}$/, 'is not an account id of 12 digits').optional(),
  })
  .check(S3_KEY_PAIR_CHECK)
  .superRefine(
    ({ NODE_ENV, RUNTIME, RUNTIME_SANDBOX, RUNTIME_TENANCY, AWS_ACCOUNT_ID }, context) => {
      const isProduction = NODE_ENV === 'production';
      const isPooled = RUNTIME === 'pooled';
      const report = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
      if (isProduction && RUNTIME_TENANCY === undefined)
        report('RUNTIME_TENANCY', 'is missing: set trusted when all people who may deploy trust each other');
      if (isPooled && RUNTIME_TENANCY === 'hostile' && ['bubblewrap', 'bare'].includes(RUNTIME_SANDBOX))
        report(
          'RUNTIME_TENANCY',
          `cannot be hostile with ${RUNTIME_SANDBOX}, which shares the kernel of the host: use gvisor, or RUNTIME=lambda`,
        );
      if (isPooled && isProduction && RUNTIME_SANDBOX === 'bare')
        report('RUNTIME_SANDBOX', 'cannot be bare in production: it isolates nothing');
      if (RUNTIME === 'lambda' && AWS_ACCOUNT_ID === undefined)
        report('AWS_ACCOUNT_ID', 'is missing: set the account that has the role homeport-app');
    },
    // Runs when other variables are invalid too, so that all errors are reported at once.
    { when: () => true },
  );

/** Every variable the runtime reads. Tests compare it with the documentation. */
export const RUNTIME_ENVIRONMENT_NAMES: readonly string[] = Object.keys(Variables.shape);

/** The variables whose values are logged at the start, none of them secret. URLs are logged without credentials. */
export const RUNTIME_LOGGED_SETTINGS: readonly string[] = RUNTIME_ENVIRONMENT_NAMES.filter(
  (name) => !['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'SECRETS_KEYS'].includes(name),
);

export type RuntimeConfig = Readonly<z.infer<typeof Variables>>;

/** Reads the configuration from an environment. @throws {InvalidConfig} */
export function loadConfig(env: Environment): RuntimeConfig {
  return readEnvironment(Variables, env);
}
