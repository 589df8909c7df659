import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const RULES = join(import.meta.dirname, '../../../deploy/alerts/homeport.yml');

interface AlertRule {
  readonly alert?: string;
  readonly for?: string;
}

const { groups } = parse(readFileSync(RULES, 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
};

/** @returns how long the condition of an alert rule of Prometheus lasts before it alerts, in minutes. */
export function minutesBefore(alert: string): number {
  const rule = groups.flatMap(({ rules }) => rules).find((each) => each.alert === alert);
  const [, minutes] = /^(\d+)m$/.exec(rule?.for ?? '') ?? [];
  if (minutes === undefined) throw new Error(`deploy/alerts/homeport.yml has no rule ${alert} with minutes.`);
  return Number(minutes);
}
