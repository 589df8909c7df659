/** An SSR app with its servers, variables and log as the API returns them, with fixed values. */
import { deploysAt } from './deploy-fixtures';
import { APPS, NOW } from './workspace-fixtures';

const MINUTE = 60_000;
const MIB = 1024 * 1024;

/** @param minutes age relative to `NOW`. */
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE).toISOString();

const [, LIVE] = deploysAt(NOW);
const LIVE_ID = LIVE?.id ?? '';

export const SSR_APP_ID = '00000000-0000-4000-8000-000000000004';

export const SSR_APP = {
  ...APPS[0],
  id: SSR_APP_ID,
  name: 'Booking',
  subdomain: 'booking',
  hostname: 'booking.apps.localhost',
  url: 'http://booking.apps.localhost:8080',
  type: 'ssr',
  active_deploy_id: LIVE_ID,
  runtime: { state: 'ready', instances: 2 },
};

const LIMITS = {
  ...{ instances: 2, memory_bytes: 256 * MIB, cpus: 1, processes: 64, tmp_bytes: 64 * MIB, concurrency: 50 },
  ...{ start_seconds: 10, first_byte_seconds: 30, response_seconds: 300, request_bytes: 10 * MIB },
};

const instance = (id: number, more: object) => ({
  id: `00000000-0000-4000-8000-00000000030${id}`,
  deploy_id: LIVE_ID,
  state: 'ready',
  started_at: ago(42),
  memory_bytes: 84.4 * MIB,
  requests: 12_408,
  ...more,
});

export const RUNTIME = {
  state: 'ready',
  reason: null,
  instances: [
    instance(1, {}),
    instance(2, { state: 'frozen', started_at: ago(180), memory_bytes: 61 * MIB, requests: 3 }),
  ],
  limits: LIMITS,
};

export const CRASH_LOOP = {
  state: 'crash-loop',
  reason: 'The server crashed: exit code 1.',
  instances: [instance(3, { state: 'launching', started_at: ago(0), memory_bytes: 22 * MIB, requests: 0 })],
  limits: LIMITS,
};

export const VARIABLES = [
  { name: 'DATABASE_URL', scope: 'production', updated_at: ago(60 * 26), updated_by: 'Dora Lind' },
  { name: 'PAYMENT_PROVIDER_WEBHOOK_SIGNING_SECRET', scope: 'all', updated_at: ago(8), updated_by: 'ci: acme/booking' },
  { name: 'SENTRY_DSN', scope: 'preview', updated_at: ago(60 * 24 * 30), updated_by: 'Ben Okafor' },
];

const LINES: readonly (readonly [minutes: number, stream: string, line: string])[] = [
  [60 * 20, 'system', 'The server starts.'],
  [60 * 20, 'stdout', '\u001b[32m✓\u001b[39m Ready on http://127.0.0.1:3000'],
  [60 * 19, 'stdout', 'GET / 200 in 14 ms'],
  [42, 'system', 'The variables have changed. A new server replaces this one.'],
  [42, 'stdout', '\u001b[32m✓\u001b[39m Ready on http://127.0.0.1:3000'],
  [12, 'stdout', 'GET /rooms?from=2026-11-21&to=2026-11-23&guests=2&sort=price 200 in 31 ms'],
  [11, 'stderr', 'Error: connect ECONNREFUSED: the payment provider did not answer'],
  [11, 'stderr', '    at TLSSocket.onConnectEnd (node:_tls_wrap:1727:19)'],
  [11, 'stderr', '    at TLSSocket.emit (node:events:520:35)'],
  [
    10,
    'stdout',
    `{"level":"info","event":"booking.created","payload":{"room":"${'a1b2c3d4'.repeat(20)}","guests":2,"nights":2}}`,
  ],
  [9, 'system', '12 lines dropped: the server writes more than 64 KiB per second.'],
  [1, 'stdout', 'POST /bookings 303 in 88 ms'],
];

export interface LogLineBody {
  readonly id: string;
  readonly line: string;
  readonly [key: string]: unknown;
}

export const logLine = (id: number, line: string, more: object = {}): LogLineBody => ({
  ...{ id: String(id), at: ago(1), stream: 'stdout', line, deploy_id: LIVE_ID, instance_id: RUNTIME.instances[0]?.id },
  ...more,
});

export const LOG = LINES.map(([minutes, stream, line], index) =>
  logLine(1_000 + index, line, { at: ago(minutes), stream }),
);

/** Lines as a stream of server-sent events. */
export const eventStream = (lines: readonly LogLineBody[]) =>
  `retry: 1000\n\n${lines.map((line) => `id: ${line.id}\ndata: ${JSON.stringify(line)}\n\n`).join('')}`;

/** A deploy whose server did not start. */
export const START_FAILED = {
  ...deploysAt(NOW)[2],
  problem_count: 0,
  framework: 'next',
  error: {
    code: 'start-failed',
    message: 'The start failed: exit code 1.',
    log: [
      '   ▲ Next.js 16.2.0',
      '   - Local:        http://127.0.0.1:3000',
      'Error: Missing environment variable: DATABASE_URL',
      '    at Object.<anonymous> (/app/server/chunks/ssr/[root-of-the-server]__a1b2c3d4.js:12:9)',
      'Node.js v24.21.0',
    ],
  },
};

export const SSR_DEPLOYS = deploysAt(NOW).map((deploy, index) => {
  if (index === 0) return { ...deploy, status: 'starting', framework: 'next' };
  return index === 2 ? START_FAILED : { ...deploy, framework: 'next', problem_count: 0 };
});
