import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { BearerStrategy } from './adapters/http/bearer.strategy';
import { SignInController } from './adapters/http/sign-in.controller';
import { SignInPages } from './adapters/http/sign-in-pages';
import { SignedInGuard } from './adapters/http/signed-in.guard';
import type { KeySet } from './application/key-set.port';
import type { TokenRules } from './domain/token-policy';

export interface IdentityOptions {
  readonly tokenRules: TokenRules;
  readonly keySet: KeySet;
  readonly signInPages: SignInPages;
}

/** Closes every route of the product but the public ones, and serves the browser's sign-in. */
@Module({})
export class IdentityModule {
  static with(options: IdentityOptions): DynamicModule {
    return {
      module: IdentityModule,
      controllers: [SignInController],
      providers: [
        { provide: BearerStrategy, useFactory: () => new BearerStrategy(options.tokenRules, options.keySet) },
        { provide: SignInPages, useValue: options.signInPages },
        { provide: APP_GUARD, useClass: SignedInGuard },
      ],
    };
  }
}
