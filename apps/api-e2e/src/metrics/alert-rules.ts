import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly (AlertRule | RecordingRule)[] }[];
}

export const ROOT = resolve(import.meta.dirname, '../../../..');
export const ALERTS = resolve(ROOT, 'deploy/alerts');

const file = parse(readFileSync(resolve(ALERTS, 'homeport.yml'), 'utf8')) as RuleFile;
const isAlert = (rule: AlertRule | RecordingRule): rule is AlertRule => 'alert' in rule;

export const ALERT_RULES: readonly AlertRule[] = file.groups.flatMap(({ rules }) => rules.filter(isAlert));
export const RECORDING_RULES: readonly RecordingRule[] = file.groups.flatMap(({ rules }) =>
  rules.filter((rule): rule is RecordingRule => !isAlert(rule)),
);

export interface QuickRuleOptions {
  /** The windows of some alerts. Default: 5 s. */
  readonly windows?: Readonly<Record<string, string>>;
  /** The limits, in seconds, of alerts about something that is late. Default: those of the rules. */
  readonly limits?: Readonly<Record<string, number>>;
}

/**
 * The rules with short times, so that a test need not wait for hours: no minimum duration, and windows of seconds.
 * The expressions are the same otherwise. JSON is YAML.
 */
export function quickRules({ windows = {}, limits = {} }: QuickRuleOptions = {}): string {
  const quickened = (rule: AlertRule | RecordingRule) => {
    const name = isAlert(rule) ? rule.alert : rule.record;
    const expr = rule.expr.replace(/\[\d+[mh]\]/g, `[${windows[name] ?? '5s'}]`);
    const limit = limits[name];
    return {
      ...rule,
      expr: limit === undefined ? expr : expr.replace(/> \d+$/, `> ${limit}`),
      ...(isAlert(rule) && { for: '0s' }),
    };
  };
  return JSON.stringify({ groups: file.groups.map(({ name, rules }) => ({ name, rules: rules.map(quickened) })) });
}
