/** The account of this installation at a certificate authority. */
export interface AcmeAccount {
  readonly directory: string;
  /** Undefined until it is registered. */
  readonly url: string | undefined;
  /** PEM */
  readonly privateKey: string;
}

/** The accounts of all instances. Every method can reject with DatabaseUnavailable. */
export abstract class AcmeAccounts {
  /** @returns the account; the first call creates its key. */
  abstract get(directory: string): Promise<AcmeAccount>;

  /** @param url undefined when the authority does not know the account any more. */
  abstract setUrl(directory: string, url: string | undefined): Promise<void>;

  /**
   * Reserves the right to place one order now.
   * @returns 0, or the milliseconds until the account may place its next order.
   */
  abstract reserveOrder(directory: string, now: Date): Promise<number>;
}
