import { parseArgs } from 'node:util';
import { BillingPeriod } from '@homeport/usage/contracts';
import { INVOICE_FORMATS, type InvoiceFormat } from '@homeport/usage/server';

/** A command of `main.js charges`. */
export type ChargeCommand =
  | { readonly name: 'export'; readonly period: BillingPeriod; readonly format: InvoiceFormat }
  | { readonly name: 'check'; readonly period: BillingPeriod | undefined; readonly skipsStorage: boolean }
  | {
      readonly name: 'correct';
      readonly period: BillingPeriod;
      readonly organization: string;
      readonly amount: string;
      readonly reference: string;
      readonly reason: string;
      readonly by: string;
      readonly item: string | undefined;
    };

const text = { type: 'string' } as const;

/** @returns undefined when the arguments are wrong. */
export function chargeCommandFrom([name, ...args]: readonly string[]): ChargeCommand | undefined {
  try {
    if (name === 'export') return exportFrom(args);
    if (name === 'check') return checkFrom(args);
    return name === 'correct' ? correctionFrom(args) : undefined;
  } catch {
    return undefined;
  }
}

function exportFrom(args: string[]): ChargeCommand | undefined {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { format: text } });
  const period = periodFrom(positionals);
  const format = INVOICE_FORMATS.find((each) => each === (values.format ?? 'jsonl'));
  return period && format && { name: 'export', period, format };
}

function checkFrom(args: string[]): ChargeCommand | undefined {
  const options = { 'skip-storage': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const period = periodFrom(positionals);
  if (positionals.length > 0 && !period) return undefined;
  return { name: 'check', period, skipsStorage: values['skip-storage'] };
}

function correctionFrom(args: string[]): ChargeCommand | undefined {
  const options = { organization: text, amount: text, reference: text, reason: text, by: text, item: text } as const;
  const { values, positionals } = parseArgs({ args: withJoinedAmount(args), allowPositionals: true, options });
  const { organization, amount, reference, reason, by, item } = values;
  const period = periodFrom(positionals);
  if (!period || !organization || !amount || !reference || !reason || !by) return undefined;
  return { name: 'correct', period, organization, amount, reference, reason, by, item };
}

/** `parseArgs` takes a value that begins with "-" for an option, unless it is joined. */
function withJoinedAmount(args: readonly string[]): string[] {
  const at = args.indexOf('--amount');
  return at < 0 ? [...args] : [...args.slice(0, at), `--amount=${args[at + 1] ?? ''}`, ...args.slice(at + 2)];
}

function periodFrom(positionals: readonly string[]): BillingPeriod | undefined {
  const [name] = positionals;
  return name === undefined || positionals.length > 1 ? undefined : BillingPeriod.parse(name);
}
