import { LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { StandardRetryStrategy } from '@smithy/core/retry';

/** Milliseconds. A package of 50 MiB takes a while. */
const CHANGES = { connectionTimeout: 2_000, requestTimeout: 120_000, throwOnRequestTimeout: true };
/** The runtime limits the time of requests to apps itself. */
const INVOCATIONS = { connectionTimeout: 2_000 };
const MAX_CONNECTIONS = 1_000;
const CHANGE_ATTEMPTS = 5;
const INVOCATION_ATTEMPTS = 3;

type RetryError = Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>[1];

/** Repeats only calls that AWS throttled: a request of a visitor that was executed is never sent again. */
class ThrottlingRetryStrategy extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(
    token: Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>[0],
    error: RetryError,
  ): ReturnType<StandardRetryStrategy['refreshRetryTokenForRetry']> {
    if (error.errorType !== 'THROTTLING') return Promise.reject(new Error('Only throttled calls are repeated.'));
    return super.refreshRetryTokenForRetry(token, error);
  }
}

export interface LambdaClients {
  /** Changes functions. */
  readonly client: LambdaClient;
  /** Invokes functions. */
  readonly invoker: LambdaClient;
}

/** @param config region, endpoint and credentials; by default those of the provider chain of the SDK. */
export function createLambdaClients(
  config: Pick<LambdaClientConfig, 'region' | 'endpoint' | 'credentials'>,
): LambdaClients {
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  return {
    client: new LambdaClient({ ...config, maxAttempts: CHANGE_ATTEMPTS, requestHandler: CHANGES }),
    invoker: new LambdaClient({
      ...config,
      retryStrategy: new ThrottlingRetryStrategy(INVOCATION_ATTEMPTS),
      requestHandler: { ...INVOCATIONS, httpAgent: agent, httpsAgent: agent },
    }),
  };
}

/** Partitions of AWS by the beginning of a region. */
const PARTITIONS = { 'cn-': 'aws-cn', 'us-gov-': 'aws-us-gov' } as const;

/** @returns the ARN of the role `homeport-app` of an account, in the partition of the client's region. */
export async function functionRole(accountId: string, { config }: LambdaClient): Promise<string> {
  const region = await config.region();
  const [, partition = 'aws'] = Object.entries(PARTITIONS).find(([prefix]) => region.startsWith(prefix)) ?? [];
  return `arn:${partition}:iam::${accountId}:role/homeport-app`;
}
