import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';

export interface AlarmRule {
  readonly metric: IMetric;
  /** Exactly one of the two limits is set. */
  readonly isAbove?: number;
  readonly isBelow?: number;
  readonly periods: number;
  /** Whether the alarm also fires while the metric has no data. Default: false. */
  readonly firesWithoutData?: boolean;
  /** Whether the metric counts a line that a fault writes only once: without new lines it may last. Default: false. */
  readonly isWrittenOnce?: boolean;
  /** What happened, and what to do. */
  readonly says: string;
}

/** Sends alarms to the operators by mail. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, email: string) {
    super(scope, id, { enforceSSL: true });
    // The policy that enforces TLS replaces the one of SNS, which lets the alarms of the account publish.
    this.addToResourcePolicy(
      new PolicyStatement({
        actions: ['sns:Publish'],
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        resources: [this.topicArn],
        conditions: {
          ArnLike: { 'aws:SourceArn': Stack.of(this).formatArn({ service: 'cloudwatch', resource: 'alarm:*' }) },
        },
      }),
    );
    this.addSubscription(new EmailSubscription(email));
  }

  /** Mails the beginning of the alarm, and its end where that is the end of the fault. */
  add(id: string, rule: AlarmRule): void {
    const { metric, isAbove, isBelow, periods, firesWithoutData = false, isWrittenOnce = false, says } = rule;
    const alarm = new Alarm(this, id, {
      metric,
      threshold: isAbove ?? isBelow ?? 0,
      comparisonOperator:
        isAbove === undefined ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      alarmDescription: says,
      treatMissingData: firesWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(this);
    alarm.addAlarmAction(action);
    if (!isWrittenOnce) alarm.addOkAction(action);
  }
}
