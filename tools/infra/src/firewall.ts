import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

export interface FirewallProps {
  readonly scope: 'CLOUDFRONT' | 'REGIONAL';
}

/**
 * Requests of one address in five minutes. In front of the product, 400 a second are four people at the limit of the API
 * for each of them. In front of apps, where each request costs, 133 a second are 500 people of one office who open an app
 * for the first time (docs/decisions/0212-limit-addresses-by-what-is-behind-the-firewall.md).
 */
const REQUESTS_PER_ADDRESS = { REGIONAL: 120_000, CLOUDFRONT: 40_000 } as const;

/**
 * Uploads of people may mention an attack, for example in a report about it, so their bodies are only counted. The API
 * runs no React, and apps may.
 */
const COUNTED = {
  REGIONAL: ['Log4JRCE_BODY', 'JavaDeserializationRCE_BODY', 'ReactJSRCE_BODY'],
  CLOUDFRONT: ['Log4JRCE_BODY', 'JavaDeserializationRCE_BODY'],
} as const;

/**
 * Rejects addresses with a bad reputation, known attacks in the head of a request, and too many requests of one
 * address. The common rules of AWS are not used: they limit bodies to 8 KiB and reject texts with HTML.
 */
export class Firewall extends CfnWebACL {
  constructor(parent: Construct, id: string, { scope }: FirewallProps) {
    super(parent, id, {
      scope,
      defaultAction: { allow: {} },
      visibilityConfig: metricsAs(`homeport-${scope.toLowerCase()}`),
      rules: [
        managedRules(0, 'AWSManagedRulesAmazonIpReputationList', []),
        managedRules(1, 'AWSManagedRulesKnownBadInputsRuleSet', COUNTED[scope]),
        {
          name: 'requests-per-address',
          priority: 2,
          action: { block: { customResponse: { responseCode: 429 } } },
          statement: { rateBasedStatement: { limit: REQUESTS_PER_ADDRESS[scope], aggregateKeyType: 'IP' } },
          visibilityConfig: metricsAs('requests-per-address'),
        },
      ],
    });
  }
}

function managedRules(priority: number, name: string, counted: readonly string[]): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
    visibilityConfig: metricsAs(name),
  };
}

function metricsAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
