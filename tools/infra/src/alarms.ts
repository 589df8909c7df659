import { Duration } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type ApplicationLoadBalancer, HttpCodeTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { minutesBefore } from './alert-rules.ts';
import type { AlarmTopic } from './alarm-topic.ts';
import type { Database } from './database.ts';
import type { ProgramService } from './program-service.ts';
import type { SignIn } from './sign-in.ts';

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);
const GIB = 1024 ** 3;
/** The limit of the alert rule for disks. */
const DISK_NEARLY_FULL_PERCENT = 90;

interface Program {
  readonly name: string;
  readonly service: ProgramService;
  readonly balancer: ApplicationLoadBalancer;
  readonly logs: LogGroup;
}

/** Failed requests, missing tasks, slow responses, and what a program writes into its log about itself. */
export function watchProgram(alarms: AlarmTopic, { name, service, balancer, logs }: Program): void {
  const failed = balancer.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, { period: FIVE_MINUTES });
  const all = balancer.metrics.requestCount({ period: FIVE_MINUTES });
  alarms.add(`${name}Errors`, {
    metric: new MathExpression({
      expression: 'IF(all > 50, 100 * failed / all, 0)',
      usingMetrics: { failed, all },
      period: FIVE_MINUTES,
    }),
    isAbove: 2,
    periods: 2,
    says: `More than 2 % of the requests to ${name} failed for 10 minutes. Read its log by request_id and cause.`,
  });
  alarms.add(`${name}Unhealthy`, {
    metric: service.targets.metrics.unhealthyHostCount({ period: MINUTE }),
    isAbove: 0,
    periods: 10,
    says: `A task of ${name} has not been ready for 10 minutes. Read "could not start" and "dependency failed" in its log.`,
  });
  // A service whose tasks do not start has no targets, and so no data.
  alarms.add(`${name}Absent`, {
    metric: service.targets.metrics.healthyHostCount({ period: MINUTE, statistic: 'Maximum' }),
    isBelow: 1,
    periods: 3,
    firesWithoutData: true,
    says: `No task of ${name} has been ready for 3 minutes. Read the stopped tasks of the service: each names its reason.`,
  });
  alarms.add(`${name}Slow`, {
    metric: service.targets.metrics.targetResponseTime({ period: FIVE_MINUTES, statistic: 'p95' }),
    isAbove: 5,
    periods: 3,
    says: `5 % of the responses of ${name} took more than 5 seconds for 15 minutes.`,
  });
  watchDisk(alarms, name, service);
  watchLog(alarms, name, logs);
}

/** A program writes one line for an outage, however long it lasts, so a single line must alert. */
const LOG_LINES = [
  { id: 'DependencyFailed', msg: 'dependency failed', isWrittenOnce: true, end: ', "dependency recovered" the end' },
  { id: 'CouldNotStart', msg: 'could not start', isWrittenOnce: false, end: '' },
];

function watchLog(alarms: AlarmTopic, name: string, logs: LogGroup): void {
  for (const { id, msg, isWrittenOnce, end } of LOG_LINES) {
    const filter = logs.addMetricFilter(`${name}${id}Count`, {
      filterPattern: FilterPattern.stringValue('$.msg', '=', msg),
      metricNamespace: 'Homeport',
      metricName: `${name}${id}`,
    });
    alarms.add(`${name}${id}`, {
      metric: filter.metric({ period: FIVE_MINUTES, statistic: 'Sum' }),
      isAbove: 0,
      periods: 1,
      isWrittenOnce,
      says: `The log of ${name} has lines with "${msg}": they name the dependency and the cause${end}.`,
    });
  }
}

/** The storage of the fullest task: its images, and `/tmp` with uploads and with usage that PostgreSQL lacks. */
function watchDisk(alarms: AlarmTopic, name: string, { cluster, serviceName }: ProgramService): void {
  const metric = (metricName: string) =>
    new Metric({
      namespace: 'ECS/ContainerInsights',
      metricName,
      dimensionsMap: { ClusterName: cluster.clusterName, ServiceName: serviceName },
      period: FIVE_MINUTES,
      statistic: 'Maximum',
    });
  const minutes = minutesBefore('HomeportDiskNearlyFull');
  alarms.add(`${name}DiskNearlyFull`, {
    metric: new MathExpression({
      expression: '100 * used / size',
      usingMetrics: { used: metric('EphemeralStorageUtilized'), size: metric('EphemeralStorageReserved') },
      period: FIVE_MINUTES,
    }),
    isAbove: DISK_NEARLY_FULL_PERCENT,
    periods: minutes / FIVE_MINUTES.toMinutes(),
    says: `A task of ${name} has used ${DISK_NEARLY_FULL_PERCENT} % of its storage for ${minutes} minutes: docs/runbooks/disk-nearly-full.md.`,
  });
}

/** The alert rule of Prometheus for the same work, and what the alarm says. */
const OVERDUE_WORK = [
  {
    id: 'JobsOverdue',
    figure: 'homeport_job_queue_oldest_due_seconds',
    ...{ rule: 'HomeportJobsNotDraining', says: 'Background jobs have not run', runbook: 'jobs-not-draining' },
  },
  {
    id: 'DnsRecordsFailed',
    figure: 'homeport_dns_records',
    ...{ rule: 'HomeportDnsRecordsFailed', says: 'Records of apps have failed', runbook: 'dns-records-failed' },
  },
  {
    id: 'MonthNotCharged',
    figure: 'homeport_usage_months_overdue',
    ...{ rule: 'HomeportMonthNotCharged', says: 'An ended month is not charged', runbook: 'month-not-charged' },
  },
  {
    id: 'UsageNotDelivered',
    figure: 'homeport_usage_behind_seconds',
    ...{ rule: 'HomeportUsageNotDelivered', says: 'PostgreSQL lacks usage', runbook: 'usage-not-delivered' },
  },
] as const;

/**
 * A job that fails is an outage in the log of the API; these alarms tell that work is late for any reason. The API logs
 * it every four minutes while it lasts.
 */
export function watchBackgroundWork(alarms: AlarmTopic, logs: LogGroup): void {
  for (const { id, figure, rule, says, runbook } of OVERDUE_WORK) {
    const filter = logs.addMetricFilter(`${id}Count`, {
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.msg', '=', 'background work is overdue'),
        FilterPattern.stringValue('$.figure', '=', figure),
      ),
      metricNamespace: 'Homeport',
      metricName: id,
    });
    const minutes = minutesBefore(rule);
    alarms.add(id, {
      metric: filter.metric({ period: FIVE_MINUTES, statistic: 'Sum' }),
      isAbove: 0,
      // One more, because the line of the first period may be at its end.
      periods: minutes / FIVE_MINUTES.toMinutes() + 1,
      says: `${says} for ${minutes} minutes: docs/runbooks/${runbook}.md.`,
    });
  }
}

export function watchDatabase(alarms: AlarmTopic, { instance }: Database): void {
  if (!instance) return;
  const rules: readonly [
    id: string,
    metric: IMetric,
    limit: { isAbove: number } | { isBelow: number },
    says: string,
  ][] = [
    ['Cpu', instance.metricCPUUtilization({ period: FIVE_MINUTES }), { isAbove: 80 }, 'has used 80 % of its CPU'],
    [
      'Storage',
      instance.metricFreeStorageSpace({ period: FIVE_MINUTES }),
      { isBelow: 5 * GIB },
      'has less than 5 GiB left',
    ],
    [
      'Memory',
      instance.metricFreeableMemory({ period: FIVE_MINUTES }),
      { isBelow: GIB / 8 },
      'has less than 128 MiB of memory left',
    ],
  ];
  for (const [id, metric, limit, says] of rules) {
    alarms.add(`Database${id}`, { metric, ...limit, periods: 3, says: `PostgreSQL ${says} for 15 minutes.` });
  }
}

/** The renewal of a certificate needs its validation record. */
export function watchCertificate(alarms: AlarmTopic, id: string, certificate: ICertificate): void {
  alarms.add(`${id}Expires`, {
    metric: certificate.metricDaysToExpiry({ period: Duration.days(1) }),
    isBelow: 30,
    periods: 1,
    says: `The certificate ${id} ends within 30 days: its renewal failed. Check its validation record.`,
  });
}

export function watchSignIn(alarms: AlarmTopic, { claims }: SignIn): void {
  alarms.add('SignInErrors', {
    metric: claims.metricErrors({ period: FIVE_MINUTES }),
    isAbove: 0,
    periods: 1,
    says: 'The function that adds the organization to tokens failed: people cannot sign in. Read its log.',
  });
}
