import { inject } from '@angular/core';
import { Router, type UrlTree } from '@angular/router';
import { itemsOf } from '@homeport/pricing/contracts';
import { Toasts } from '@homeport/platform/web';
import { UsageClient } from '../usage-client';
import { projectedQuantities } from './projected-quantities';

/** The address of an estimate with the usage of this month, projected to its end. After a failure, that of the usage. */
export async function estimateOfUsage(): Promise<UrlTree> {
  const [router, client, toasts] = [inject(Router), inject(UsageClient), inject(Toasts)];
  try {
    const month = await client.month();
    const { usage } = await client.statement(month.statement);
    const quantities = projectedQuantities(month);
    const fields = itemsOf(usage)
      .filter(({ id }) => (quantities.get(id) ?? '0') !== '0' && !usage.free.includes(id))
      .map(({ group, id }) => [`${group}.${id}`, quantities.get(id)] as const);
    return router.createUrlTree(['/pricing'], { queryParams: Object.fromEntries(fields), fragment: 'estimate' });
  } catch {
    toasts.show($localize`The estimate could not be made from your usage.`);
    return router.createUrlTree(['/usage']);
  }
}
