import { parseArgs } from 'node:util';
import { BillingPeriod } from '@homeport/usage/contracts';
import type { CommandOptions } from '@homeport/platform/server/process';
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

/** The command line of a charge command is wrong; the message says how. */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments';
}

/** @throws {InvalidArguments} */
export function chargeCommandFrom([name, ...args]: readonly string[]): ChargeCommand {
  if (name === 'export') return exportFrom(args);
  if (name === 'check') return checkFrom(args);
  if (name === 'correct') return correctionFrom(args);
  throw new InvalidArguments(name === undefined ? 'The command is missing' : `The command '${name}' is unknown`);
}

function exportFrom(args: readonly string[]): ChargeCommand {
  const { values, positionals } = parse(args, { format: text });
  const period = requiredPeriodFrom(positionals);
  const format = INVOICE_FORMATS.find((each) => each === (values.format ?? 'jsonl'));
  if (!format) throw new InvalidArguments(`The value of --format must be one of ${INVOICE_FORMATS.join(', ')}`);
  return { name: 'export', period, format };
}

function checkFrom(args: readonly string[]): ChargeCommand {
  const { values, positionals } = parse(args, { 'skip-storage': { type: 'boolean', default: false } });
  return { name: 'check', period: periodFrom(positionals), skipsStorage: values['skip-storage'] };
}

function correctionFrom(args: readonly string[]): ChargeCommand {
  const required = { organization: text, amount: text, reference: text, reason: text, by: text } as const;
  const { values, positionals } = parse(withJoinedAmount(args), { ...required, item: text });
  const period = requiredPeriodFrom(positionals);
  const { organization = '', amount = '', reference = '', reason = '', by = '', item } = values;
  const given: Readonly<Record<string, string>> = { organization, amount, reference, reason, by };
  const missing = Object.keys(required).filter((name) => !given[name]);
  if (missing.length > 0) throw new InvalidArguments(`A value is missing: --${missing.join(', --')}`);
  return { name: 'correct', period, organization, amount, reference, reason, by, item };
}

function parse<const Options extends CommandOptions>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new InvalidArguments((error as Error).message, { cause: error });
  }
}

/** `parseArgs` takes a value that begins with "-" for an option, unless it is joined. */
function withJoinedAmount(args: readonly string[]): string[] {
  const at = args.indexOf('--amount');
  const amount = args[at + 1] ?? '';
  if (at < 0 || amount.startsWith('--')) return [...args];
  return [...args.slice(0, at), `--amount=${amount}`, ...args.slice(at + 2)];
}

function requiredPeriodFrom(positionals: readonly string[]): BillingPeriod {
  const period = periodFrom(positionals);
  if (!period) throw new InvalidArguments('The month is missing');
  return period;
}

function periodFrom([name, surplus]: readonly string[]): BillingPeriod | undefined {
  if (surplus !== undefined) throw new InvalidArguments(`The argument '${surplus}' is one too many`);
  if (name === undefined) return undefined;
  const period = BillingPeriod.parse(name);
  if (!period) throw new InvalidArguments(`A month has the form 2026-11, unlike '${name}'`);
  return period;
}
