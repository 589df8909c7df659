import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { programModule } from './program-modules.ts';
import { linesOf } from './statements.ts';
import { allOf, onlyOf, type Properties, type Synthesis, textOf } from './synthesis.ts';

const RULES = join(import.meta.dirname, '../../../deploy/alerts/homeport.yml');

interface Rule {
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
}

interface MetricQuery {
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Stat: string;
    readonly Period: number;
    readonly Metric: {
      readonly Namespace: string;
      readonly MetricName: string;
      readonly Dimensions: readonly { readonly Name: string; readonly Value: Parameters<typeof textOf>[0] }[];
    };
  };
}

/** The alert rule of Prometheus about a figure, and its minutes. */
function ruleOf(figure: string): Rule & { readonly minutes: number } {
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { readonly groups: readonly { rules: readonly Rule[] }[] };
  const rule = groups.flatMap(({ rules }) => rules).find(({ alert, expr }) => alert && expr.includes(figure)) as Rule;
  return { ...rule, minutes: Number.parseInt(rule.for ?? '', 10) };
}

export function describeAlarms({ resources: { Homeport: resources, HomeportGlobal } }: Synthesis): void {
  const alarms = allOf(resources, 'AWS::CloudWatch::Alarm').map(({ Properties: alarm }) => alarm);
  const filters = allOf(resources, 'AWS::Logs::MetricFilter').filter(({ Properties: { FilterPattern } }) =>
    textOf(FilterPattern).includes('$.figure'),
  );

  describe('the alarms', () => {
    it('report all background work that the API logs as overdue', async () => {
      const { OVERDUE_LIMITS } = await programModule('api/src/overdue-work');
      const limits = OVERDUE_LIMITS as readonly { readonly figure: string }[];
      expect(filters.map(({ Properties: { FilterPattern } }) => textOf(FilterPattern)).sort()).toEqual(
        limits.map(({ figure }) => `{ ($.msg = "background work is overdue") && ($.figure = "${figure}") }`).sort(),
      );
      for (const { Properties: filter } of filters) expect(textOf(filter['LogGroupName'])).toMatch(/^<ApiTaskLog/);
    });

    it.each(filters)(
      'wait for overdue work as long as the alert rule of the same figure ($#)',
      ({ Properties: filter }) => {
        const [, figure = ''] = /figure = "(\w+)"/.exec(textOf(filter['FilterPattern'])) ?? [];
        const [{ MetricName: name } = {}] = filter['MetricTransformations'] as readonly Properties[];
        const { minutes } = ruleOf(figure);
        const { Period, EvaluationPeriods, AlarmDescription } = alarms.find(
          ({ MetricName }) => MetricName === name,
        ) as Properties;
        expect(Period).toBe(300);
        // The only line of the first period may be at its end.
        expect(((EvaluationPeriods as number) - 1) * 5).toBe(minutes);
        expect(AlarmDescription).toMatch(new RegExp(` for ${minutes} minutes: docs/runbooks/[a-z-]+\\.md\\.$`));
      },
    );

    it.each([
      ['eu-central-1', resources],
      ['us-east-1', HomeportGlobal],
    ])('may publish to the topic of their mails in %s', (region, stack) => {
      const { Statement } = onlyOf(stack, 'AWS::SNS::TopicPolicy').Properties['PolicyDocument'] as Properties;
      const allowed = (Statement as readonly Properties[]).filter(({ Effect }) => Effect === 'Allow');
      expect(allowed.map(({ Principal }) => Principal)).toEqual([{ Service: 'cloudwatch.amazonaws.com' }]);
      const alarmsOfAccount = JSON.stringify(allowed[0]?.['Condition']);
      expect(linesOf(allowed)).toEqual([`Allow sns:Publish on <Alerts> if ${alarmsOfAccount}`]);
      expect(alarmsOfAccount).toContain(`:cloudwatch:${region}:111122223333:alarm:*`);
    });

    it('mail their end, but for outages, of which a log has one line', () => {
      const withoutEnd = alarms.filter(({ OKActions }) => OKActions === undefined);
      expect(withoutEnd.map(({ MetricName }) => MetricName)).toEqual(['ApiDependencyFailed', 'EdgeDependencyFailed']);
    });

    it.each(['Api', 'Edge'])('watch the storage of the tasks of %s as the alert rule of disks does', (program) => {
      const { expr, minutes } = ruleOf('homeport_disk_available_bytes');
      const [, leastFree = ''] = /< ([\d.]+)$/.exec(expr) ?? [];
      const alarm = alarms.find(({ AlarmDescription }) =>
        textOf(AlarmDescription).startsWith(`A task of ${program} has used`),
      );
      expect(alarm).toMatchObject({
        Threshold: 100 * (1 - Number(leastFree)),
        ComparisonOperator: 'GreaterThanThreshold',
        EvaluationPeriods: minutes / 5,
      });
      const [math, ...stats] = alarm?.['Metrics'] as unknown as readonly MetricQuery[];
      expect(math?.Expression).toBe('100 * used / size');
      expect(stats.map(({ MetricStat: stat }) => [stat?.Metric.Namespace, stat?.Stat, stat?.Period])).toEqual(
        stats.map(() => ['ECS/ContainerInsights', 'Maximum', 300]),
      );
      expect(stats.map(({ MetricStat: stat }) => stat?.Metric.MetricName)).toEqual([
        'EphemeralStorageUtilized',
        'EphemeralStorageReserved',
      ]);
      for (const { MetricStat: stat } of stats) {
        expect(stat?.Metric.Dimensions.map(({ Name, Value }) => [Name, textOf(Value)])).toEqual([
          ['ClusterName', expect.stringMatching(/^<Programs/)],
          ['ServiceName', expect.stringMatching(new RegExp(`^<${program}Service`))],
        ]);
      }
    });
  });
}
