import type { BudgetNotice } from './budget-notice-ledger.port';

/** Sends notices to people outside of Homeport. */
export abstract class NoticeSender {
  /**
   * The receiver can get a notice again, with the same id.
   * @throws {NoticeNotSent}
   */
  abstract send(notice: BudgetNotice): Promise<void>;
}

/** The receiver did not accept a notice. The message is for the log and contains no secrets. */
export class NoticeNotSent extends Error {
  override readonly name = 'NoticeNotSent';
}
