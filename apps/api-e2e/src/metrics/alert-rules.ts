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

/**
 * The rules with short times, so that a test need not wait for hours: no minimum duration, and windows of seconds.
 * The expressions are the same otherwise. JSON is YAML.
 */
export function quickRules(): string {
  const groups = file.groups.map(({ name, rules }) => ({
    name,
    rules: rules.map((rule) => ({
      ...rule,
      expr: rule.expr.replace(/\[\d+[mh]\]/g, '[5s]'),
      ...(isAlert(rule) && { for: '0s' }),
    })),
  }));
  return JSON.stringify({ groups });
}
