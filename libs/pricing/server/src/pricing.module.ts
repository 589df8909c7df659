import { type DynamicModule, Module } from '@nestjs/common';
import { PricingController } from './adapters/http/pricing.controller';
import type { BillingCatalog } from './application/billing-catalog.port';
import { PriceBook } from './application/price-book';

export interface PricingOptions {
  readonly billingCatalog: BillingCatalog;
}

/** The public pricing statement. */
@Module({})
export class PricingModule {
  static with({ billingCatalog }: PricingOptions): DynamicModule {
    return {
      module: PricingModule,
      controllers: [PricingController],
      providers: [{ provide: PriceBook, useValue: new PriceBook(billingCatalog) }],
    };
  }
}
