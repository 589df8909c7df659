import { operations } from '@homeport/api-client';
import { UsageError } from '../cli.errors';
import { table } from '../terminal/format';
import { defineCommand } from './command';

export const estimateCommand = defineCommand({
  name: 'estimate <items..>',
  summary: 'Estimate the charge of a month',
  options: (yargs) =>
    yargs
      .positional('items', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'item=quantity; "homeport pricing" lists the items',
      })
      .option('trial', { type: 'boolean', default: false, describe: 'Estimate a month of the trial' })
      .example('homeport estimate storage=20 gateway-call=100000', 'Storage in GB, and calls'),
  lists: ['items'],
  run: async (context, { items, trial }) => {
    const { client } = await context.publicServer();
    const meters = Object.fromEntries(items.map(parseItem));
    const estimate = await operations.estimateCost({ client, body: { usage: { meters }, trial } });
    context.terminal.result(estimate, () => [
      ...table(
        ['ITEM', 'QUANTITY', 'USD'],
        estimate.lines.map(({ label, quantity, amountUsd }) => [label, String(quantity), amountUsd.toFixed(2)]),
      ),
      `Included: ${estimate.includedUsd.toFixed(2)} USD, covered by the trial: ${estimate.trialCoveredUsd.toFixed(2)} USD`,
      `Total: ${estimate.totalUsd.toFixed(2)} USD`,
    ]);
  },
});

/** A quantity stays a text, so that it loses no digits. */
function parseItem(item: string): [string, string] {
  const [, name, quantity] = /^([a-z-]+)=(\d+(?:\.\d+)?)$/.exec(item) ?? [];
  if (name !== undefined && quantity !== undefined) return [name, quantity];
  throw new UsageError(`"${item}" is not of the form item=quantity.`, 'List the items with "homeport pricing".');
}
