import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BudgetNotice } from '../budgets/application/budget-notice-ledger.port';
import { NoticeNotSent, type NoticeSender } from '../budgets/application/notice-sender.port';

export const sampleNotice: BudgetNotice = {
  ...{ id: '0198a6c1-5f5c-7d3e-9a50-3b1d2f0e4a77', organization: 'northwind', period: '2026-11', percent: 75 },
  ...{ budgetUsd: '250', totalUsd: '190.12', reachedAt: new Date('2026-11-27T08:30:00Z') },
};

/** A sender with its receiver. */
export interface SenderUnderTest {
  readonly sender: NoticeSender;
  /** The ids of the notices that the receiver accepted. */
  accepted(): readonly string[];
  /** Makes the receiver refuse notices. */
  refuse(): void;
  /** Ends the receiver. */
  stop(): Promise<void>;
}

/** Contract tests of all `NoticeSender` adapters. */
export function noticeSenderContract(name: string, open: () => Promise<SenderUnderTest>): void {
  describe(`${name} as a sender of notices`, () => {
    let test: SenderUnderTest;
    beforeEach(async () => {
      test = await open();
    });
    afterEach(() => test.stop());

    it('sends a notice, and with the same id again', async () => {
      await test.sender.send(sampleNotice);
      await test.sender.send(sampleNotice);
      expect(test.accepted()).toEqual([sampleNotice.id, sampleNotice.id]);
    });

    it('rejects when the receiver refuses a notice', async () => {
      test.refuse();
      await expect(test.sender.send(sampleNotice)).rejects.toThrow(NoticeNotSent);
      expect(test.accepted()).toEqual([]);
    });

    it('rejects when no receiver answers', async () => {
      await test.stop();
      await expect(test.sender.send(sampleNotice)).rejects.toThrow(NoticeNotSent);
    });
  });
}
