import { type DynamicModule, Module } from '@nestjs/common';
import { PricingController } from './adapters/http/pricing.controller';
import type { ChargeLedger } from './application/charge-ledger.port';
import { Estimates } from './application/estimates';
import { PriceBook } from './application/price-book';
import { PriceHistory } from './application/price-history';
import type { PriceRevisions } from './application/price-revisions.port';

export interface PricingOptions {
  /** The prices in effect; other modules read them from the same instance. */
  readonly priceBook: PriceBook;
  readonly priceRevisions: PriceRevisions;
  readonly chargeLedger: ChargeLedger;
}

/** The public pricing statement. */
@Module({})
export class PricingModule {
  static forRoot({ priceBook: prices, priceRevisions }: PricingOptions): DynamicModule {
    return {
      module: PricingModule,
      controllers: [PricingController],
      providers: [
        { provide: PriceBook, useValue: prices },
        { provide: PriceHistory, useValue: new PriceHistory(priceRevisions) },
        { provide: Estimates, useValue: new Estimates(prices) },
      ],
    };
  }
}
