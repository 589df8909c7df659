import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessGuard, type AccessOptions } from './adapters/http/access.guard';
import { BearerStrategy } from './adapters/http/bearer.strategy';
import { SignInController } from './adapters/http/sign-in.controller';
import { SignInHandler } from './adapters/http/sign-in-handler';
import type { AppDirectory } from './application/app-directory.port';
import type { Clock } from './application/clock';
import type { IdentityUnitOfWork } from './tokens/application/identity-unit-of-work.port';
import type { KeySet } from './application/key-set.port';
import type { TokenRules } from './domain/token-policy';
import { TokenAccess } from './tokens/adapters/http/token-access';
import { TokenUseCases } from './tokens/adapters/http/token-use-cases';
import { PersonalTokensController, TokensController } from './tokens/adapters/http/tokens.controller';
import { AuthenticateToken } from './tokens/application/authenticate-token';
import { CreateToken } from './tokens/application/create-token';
import { ListTokens } from './tokens/application/list-tokens';
import { RevokeToken } from './tokens/application/revoke-token';
import type { TokenRepository } from './tokens/application/token-repository.port';
import { TokenExchangeController } from './trusts/adapters/http/token-exchange.controller';
import { TrustUseCases } from './trusts/adapters/http/trust-use-cases';
import { TrustsController } from './trusts/adapters/http/trusts.controller';
import { JwksPipelineTokenVerifier } from './trusts/adapters/jwks/jwks-pipeline-token-verifier';
import { publicAddressFetch } from './trusts/adapters/jwks/public-address-fetch';
import { CreateTrust } from './trusts/application/create-trust';
import { DeleteTrust } from './trusts/application/delete-trust';
import { ExchangeToken } from './trusts/application/exchange-token';
import { ListTrusts } from './trusts/application/list-trusts';
import type { TrustRepository } from './trusts/application/trust-repository.port';
import { IssuerRules } from './trusts/domain/issuers';

export interface IdentityOptions {
  readonly tokenRules: TokenRules;
  readonly keySet: KeySet;
  readonly signInHandler: SignInHandler;
  readonly access: AccessOptions;
  readonly tokens: TokensOptions;
}

/** The dependencies of tokens and trusts. */
export interface TokensOptions {
  readonly unitOfWork: IdentityUnitOfWork;
  readonly tokens: TokenRepository;
  readonly trusts: TrustRepository;
  readonly apps: AppDirectory;
  /** The address of this installation: the required `aud` of pipelines' tokens. */
  readonly publicUrl: string;
  /** Networks in which issuers of trusts may be, besides the public internet. */
  readonly issuerNetworks: readonly string[];
  readonly clock?: Clock;
  /** Called when the use of a token could not be stored. */
  readonly reportFailure?: (error: unknown) => void;
}

/** Guards every route by its policy, and serves the browser sign-in, tokens and trusts. */
@Module({})
export class IdentityModule {
  static forRoot(options: IdentityOptions): DynamicModule {
    const authentication = {
      authenticate: new AuthenticateToken(options.tokens),
      access: new TokenAccess(options.tokens.apps),
    };
    return {
      module: IdentityModule,
      controllers: [
        SignInController,
        TokensController,
        PersonalTokensController,
        TrustsController,
        TokenExchangeController,
      ],
      providers: [
        { provide: BearerStrategy, useFactory: () => new BearerStrategy(options.tokenRules, options.keySet) },
        { provide: SignInHandler, useValue: options.signInHandler },
        {
          provide: AccessGuard,
          useFactory: () => new AccessGuard(options.access, options.signInHandler, authentication),
        },
        { provide: APP_GUARD, useExisting: AccessGuard },
        ...tokenProviders(options.tokens),
      ],
    };
  }
}

function tokenProviders(options: TokensOptions): Provider[] {
  const { unitOfWork, tokens, trusts, apps, publicUrl, issuerNetworks: networks, clock } = options;
  const issuers = new IssuerRules(publicUrl);
  const fetch = issuers.permitLoopback ? undefined : publicAddressFetch({ networks });
  const verifier = new JwksPipelineTokenVerifier({ publicUrl, issuers, fetch, clock });
  return [
    {
      provide: TokenUseCases,
      useValue: new TokenUseCases(
        new CreateToken({ unitOfWork, apps, clock }),
        new ListTokens(tokens),
        new RevokeToken(unitOfWork),
      ),
    },
    {
      provide: TrustUseCases,
      useValue: new TrustUseCases(
        new CreateTrust({ unitOfWork, apps, issuers, clock }),
        new ListTrusts(trusts, apps),
        new DeleteTrust(unitOfWork),
        new ExchangeToken({ unitOfWork, trusts, apps, verifier, clock }),
      ),
    },
  ];
}
