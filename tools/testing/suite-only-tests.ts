/**
 * Slow test files that rarely fail: only the full suite (`npm run suite`) runs them. Each names the test file in the gate
 * that covers most of the same code.
 */
export const SUITE_ONLY_TESTS: Readonly<Record<string, string>> = {
  'apps/api-e2e/src/apps/deploy-crashes.e2e.ts': 'apps/api-e2e/src/apps/deploy-by-digest-crashes.e2e.ts',
  'apps/api-e2e/src/apps/edge-database-outage.e2e.ts':
    'libs/hosting/server/src/routing/adapters/http/edge-outages.int.spec.ts',
  'apps/api-e2e/src/apps/edge-storage-outage.e2e.ts':
    'libs/hosting/server/src/routing/adapters/http/edge-outages.int.spec.ts',
  'apps/api-e2e/src/apps/hostile-archives.e2e.ts':
    'libs/apps/server/src/deploys/adapters/archive/spooled-archive-reader.int.spec.ts',
  'apps/api-e2e/src/key-rotation.e2e.ts':
    'libs/apps/server/src/key-rotation/adapters/postgres/postgres-sealed-values.int.spec.ts',
  'apps/api-e2e/src/apps/name-servers.e2e.ts': 'libs/apps/server/src/dns/adapters/rfc2136/rfc2136-dns-zone.int.spec.ts',
  'apps/api-e2e/src/apps/point-in-time-restore.e2e.ts': 'apps/api-e2e/src/apps/verify.e2e.ts',
  'apps/api-e2e/src/apps/registration-crashes.e2e.ts': 'apps/api-e2e/src/apps/concurrent-registrations.e2e.ts',
  'apps/api-e2e/src/apps/restore.e2e.ts': 'apps/api-e2e/src/apps/verify.e2e.ts',
  'apps/api-e2e/src/apps/route53.e2e.ts': 'libs/apps/server/src/dns/adapters/route53/route53-dns-zone.int.spec.ts',
  'apps/api-e2e/src/apps/shared-limits.e2e.ts': 'libs/platform/server/src/limits/shared-rate-limit.int.spec.ts',
  'apps/api-e2e/src/apps/tls-restarts.e2e.ts': 'apps/api-e2e/src/rolling-restart.e2e.ts',
  'apps/api-e2e/src/files/reliability/storage-faults.e2e.ts': 'apps/api-e2e/src/reliability/fault-matrix.e2e.ts',
  'apps/api-e2e/src/metrics/alerts-by-fault.e2e.ts': 'apps/api-e2e/src/metrics/alerts.e2e.ts',
  'apps/api-e2e/src/pricing/pricing-outage.e2e.ts': 'apps/api-e2e/src/reliability/fault-matrix.e2e.ts',
  'apps/api-e2e/src/reliability/database-failover.e2e.ts': 'apps/api-e2e/src/apps/database-outage.e2e.ts',
  'apps/api-e2e/src/reliability/rolling-upgrade.e2e.ts': 'apps/api-e2e/src/rolling-restart.e2e.ts',
  'apps/api-e2e/src/reliability/soak.e2e.ts': 'apps/api-e2e/src/files/reliability/client-disconnects.e2e.ts',
  'apps/api-e2e/src/reliability/storage-outage.e2e.ts': 'apps/api-e2e/src/reliability/fault-matrix.e2e.ts',
  'apps/api-e2e/src/self-hosting-variants.e2e.ts': 'apps/api-e2e/src/self-hosting.e2e.ts',
  'apps/api/src/usage/three-years.spec.ts': 'libs/usage/server/src/months/application/months.spec.ts',
  'apps/api-e2e/src/usage/charged-months.e2e.ts': 'apps/api-e2e/src/usage/month-close.e2e.ts',
  'apps/api-e2e/src/usage/measured-items.e2e.ts':
    'libs/apps/server/src/shared/adapters/postgres/billable-levels.int.spec.ts',
  'apps/api-e2e/src/usage/usage-after-kill.e2e.ts':
    'libs/usage/server/src/metering/adapters/spool/file-usage-spool.int.spec.ts',
  'apps/cli-e2e/src/deploy-kills.e2e.ts': 'apps/cli-e2e/src/deploy.e2e.ts',
  'apps/cli-e2e/src/sync-kills.e2e.ts': 'apps/cli-e2e/src/files.e2e.ts',
  'apps/runtime/src/attacks.int.spec.ts': 'libs/hosting/server/src/runtime/sandbox/missing-walls.int.spec.ts',
  'libs/hosting/server/src/runtime/sandbox/gvisor-sandbox.int.spec.ts':
    'libs/hosting/server/src/runtime/sandbox/bubblewrap-sandbox.int.spec.ts',
  'libs/hosting/server/src/tls/adapters/node/tls-audit.int.spec.ts':
    'libs/hosting/server/src/tls/adapters/node/edge-tls.int.spec.ts',
  // The global setup of the tests starts the same services.
  'tools/dev-services/identity/main.int.spec.ts': 'apps/cli-e2e/src/login.e2e.ts',
  'tools/dev-services/postgres/postgres.int.spec.ts': 'apps/api-e2e/src/apps/database-outage.e2e.ts',
  'tools/dev-services/s3/durability.int.spec.ts': 'tools/dev-services/s3/conformance.int.spec.ts',
  'tools/helm/chart-types.spec.ts': 'tools/helm/chart.spec.ts',
  'tools/infra/schemas.spec.ts': 'tools/infra/infra.spec.ts',
  'apps/api-e2e/src/apps/clock-skew.e2e.ts': 'libs/apps/server/src/dns/adapters/postgres/skewed-clocks.int.spec.ts',
  'apps/api-e2e/src/apps/deploy-capacity.e2e.ts': 'apps/api-e2e/src/apps/deploys.e2e.ts',
  'apps/api-e2e/src/pgbouncer.e2e.ts': 'apps/api/src/doctor/pooled-sessions.int.spec.ts',
  'apps/api-e2e/src/read-only-root.e2e.ts': 'apps/api-e2e/src/self-hosting.e2e.ts',
  'apps/api-e2e/src/tracing.e2e.ts': 'apps/api-e2e/src/app-traces.e2e.ts',
  'apps/api-e2e/src/usage/budget-notices.e2e.ts':
    'libs/usage/server/src/budgets/adapters/webhook/webhook-notice-sender.int.spec.ts',
  'apps/cli-e2e/src/hostile-input.e2e.ts': 'apps/cli-e2e/src/files.e2e.ts',
  'libs/apps/server/src/deploys/adapters/archive/archive-fuzz.int.spec.ts':
    'libs/apps/server/src/deploys/adapters/archive/spooled-archive-reader.int.spec.ts',
  'libs/files/server/src/domain/zip-archive.int.spec.ts': 'libs/files/server/src/domain/zip-archive.spec.ts',
};

/** The patterns of the test files that this run leaves out. */
export function ignoredTests(environment: Readonly<Record<string, string | undefined>>): string[] {
  if (environment['HOMEPORT_SUITES'] === 'full') return [];
  return Object.keys(SUITE_ONLY_TESTS).map((path) => `/${path.replaceAll('.', '\\.')}$`);
}
