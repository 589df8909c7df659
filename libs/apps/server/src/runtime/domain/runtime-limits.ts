import type { RuntimeLimits } from '@homeport/apps/contracts';

const MIB = 1024 * 1024;

/** The limits that runtimes apply to the servers of each app. */
export const RUNTIME_LIMITS: RuntimeLimits = {
  instances: 2,
  memory_bytes: 256 * MIB,
  cpus: 1,
  processes: 64,
  tmp_bytes: 64 * MIB,
  concurrency: 50,
  start_seconds: 10,
  first_byte_seconds: 30,
  response_seconds: 300,
  request_bytes: 10 * MIB,
};
