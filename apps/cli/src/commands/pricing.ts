import { operations } from '@homeport/api-client';
import { table } from '../terminal/format';
import { defineCommand } from './command';

export const pricingCommand = defineCommand({
  name: 'pricing',
  summary: 'Print the prices',
  run: async (context) => {
    const { client } = await context.publicServer();
    const statement = await operations.getPrices({ client });
    const { usage, version } = statement;
    context.terminal.result(statement, () => [
      `Prices of ${version} in USD; ${usage.includedUsd} included each month, trial of ${usage.trial.days} days`,
      ...table(
        ['ITEM', 'PRICE', 'UNIT', 'LABEL'],
        usage.meters.map(({ id, label, unit, unitUsd }) => [id, String(unitUsd), unit, label]),
      ),
    ]);
  },
});
