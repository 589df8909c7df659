import { type InvoiceLine, InvoicingSystem } from '../invoicing/application/invoicing-system.port';
import { invoicingSystemContract } from './invoicing-system.contract';

/** Ignores known keys, as Stripe and Lago do. */
class KeyedInvoicingSystem extends InvoicingSystem {
  readonly lines = new Map<string, InvoiceLine>();
  isRefusing = false;

  async add(lines: readonly InvoiceLine[]): Promise<void> {
    if (this.isRefusing) {
      this.isRefusing = false;
      throw new Error('The system is unavailable.');
    }
    for (const line of lines) if (!this.lines.has(line.key)) this.lines.set(line.key, line);
  }
}

invoicingSystemContract('A system with keys', {
  open: async () => {
    const invoicing = new KeyedInvoicingSystem();
    return {
      invoicing,
      lines: async () => [...invoicing.lines.values()],
      refuseOnce: () => (invoicing.isRefusing = true),
    };
  },
});
