import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessGuard, type AccessOptions } from './adapters/http/access.guard';
import { BearerStrategy } from './adapters/http/bearer.strategy';
import { SignInController } from './adapters/http/sign-in.controller';
import { SignInHandler } from './adapters/http/sign-in-handler';
import type { KeySet } from './application/key-set.port';
import type { TokenRules } from './domain/token-policy';

export interface IdentityOptions {
  readonly tokenRules: TokenRules;
  readonly keySet: KeySet;
  readonly signInHandler: SignInHandler;
  readonly access: AccessOptions;
}

/** Guards every route by its policy and serves the browser sign-in. */
@Module({})
export class IdentityModule {
  static forRoot(options: IdentityOptions): DynamicModule {
    return {
      module: IdentityModule,
      controllers: [SignInController],
      providers: [
        { provide: BearerStrategy, useFactory: () => new BearerStrategy(options.tokenRules, options.keySet) },
        { provide: SignInHandler, useValue: options.signInHandler },
        { provide: AccessGuard, useFactory: () => new AccessGuard(options.access, options.signInHandler) },
        { provide: APP_GUARD, useExisting: AccessGuard },
      ],
    };
  }
}
