import { createHmac } from 'node:crypto';
import type { BudgetNotice } from '../../application/budget-notice-ledger.port';
import { NoticeNotSent, NoticeSender } from '../../application/notice-sender.port';

const TIMEOUT_MS = 10_000;

export interface WebhookOptions {
  readonly url: string;
  /** At least one. Each signs every notice, so that the receiver can change to a new key at any time. */
  readonly keys: readonly Buffer[];
  /** Default: 10 seconds. */
  readonly timeoutMs?: number;
}

/** Posts notices to a webhook, signed as in Standard Webhooks (https://www.standardwebhooks.com). */
export class WebhookNoticeSender extends NoticeSender {
  constructor(
    private readonly options: WebhookOptions,
    private readonly now: () => number = () => Date.now(),
  ) {
    super();
  }

  async send(notice: BudgetNotice): Promise<void> {
    const { url, timeoutMs = TIMEOUT_MS } = this.options;
    const body = JSON.stringify(payloadOf(notice));
    const timestamp = String(Math.floor(this.now() / 1_000));
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': notice.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': this.#signatures(`${notice.id}.${timestamp}.${body}`),
      },
      body,
      // The receiver that the operator named gets the notice, and no other one.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw new NoticeNotSent('The receiver of budget notices does not answer', { cause: error });
    });
    await response.body?.cancel().catch(() => undefined);
    if (!response.ok) throw new NoticeNotSent(`The receiver of budget notices answered ${response.status}`);
  }

  #signatures(signed: string): string {
    return this.options.keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
  }
}

function payloadOf({ organization, period, percent, budgetUsd, totalUsd, reachedAt }: BudgetNotice): object {
  return {
    type: 'usage.budget-reached',
    timestamp: reachedAt.toISOString(),
    data: { organization, period, percent, budget_usd: budgetUsd, total_usd: totalUsd },
  };
}
