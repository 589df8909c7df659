import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ProblemFilter, StrictQueryGuard } from '@homeport/platform/server/http';
import { CurrentActor } from '../adapters/http/current-actor';
import { SessionCookies } from '../adapters/http/session-cookies';
import { SignInHandler } from '../adapters/http/sign-in-handler';
import type { BrowserSignIn } from '../application/browser-sign-in';
import type { KeySet } from '../application/key-set.port';
import type { Actor } from '@homeport/identity/contracts';
import type { RoutePolicies } from '../domain/route-policy';
import { inMemoryTokens } from './in-memory-tokens';
import { SealedBox } from '../domain/sealed-box';
import type { TokenRules } from '../domain/token-policy';
import { IdentityModule, type TokensOptions } from '../identity.module';

@Controller()
class GuardedController {
  @Get('person')
  person(@CurrentActor() actor: Actor): Actor {
    return actor;
  }

  @Get('member')
  member(@CurrentActor() member: Actor): Actor {
    return member;
  }

  @Get('public')
  everybody(): { open: true } {
    return { open: true };
  }

  @Get('probe')
  probe(): { open: true } {
    return { open: true };
  }
}

const POLICIES: RoutePolicies = {
  'GET /person': 'person',
  'GET /member': 'member',
  'GET /public': 'public',
  'GET /probe': 'probe',
  'GET /auth/providers': 'public',
  'GET /auth/sign-in': 'public',
  'GET /auth/callback': 'public',
  'GET /auth/session': 'browser',
  'GET /auth/sessions': 'browser',
  'DELETE /auth/sessions': 'sign-out',
  'DELETE /auth/sessions/:id': 'browser',
  'POST /auth/sign-out': 'sign-out',
};

export interface GuardedAppOptions {
  readonly rules: TokenRules;
  readonly keySet: KeySet;
  readonly perUser?: number;
  readonly perAddress?: number;
  readonly trustedProxies?: readonly string[];
  /** The sign-in use case; absent where sign-in is not configured. */
  readonly signIn?: BrowserSignIn | undefined;
  readonly publicUrl?: string;
  /** Default: none exist. */
  readonly tokens?: TokensOptions;
}

/**
 * Starts a small application behind the real guard: the sign-in routes, and `/person`, `/member`, `/public` and
 * `/probe` with the policy of the same name.
 */
export async function guardedApp(options: GuardedAppOptions): Promise<NestFastifyApplication> {
  const { rules, keySet, signIn, publicUrl = 'http://localhost' } = options;
  const { perUser = 0, perAddress = 0, trustedProxies = [] } = options;
  const cookies = new SessionCookies(publicUrl, new SealedBox([randomBytes(32)]));
  const identity = IdentityModule.forRoot({
    tokenRules: rules,
    keySet,
    signInHandler: new SignInHandler(signIn, cookies, publicUrl),
    access: { policies: POLICIES, perUser, perAddress, trustedProxies },
    tokens: options.tokens ?? inMemoryTokens(publicUrl),
  });
  @Module({ imports: [identity], controllers: [GuardedController] })
  class GuardedModule {}
  const adapter = new FastifyAdapter({ maxParamLength: 8_192 });
  const app = await NestFactory.create<NestFastifyApplication>(GuardedModule, adapter, {
    logger: false,
    abortOnError: false,
  });
  await adapter.getInstance().register(cookie);
  app.useGlobalFilters(new ProblemFilter());
  app.useGlobalGuards(new StrictQueryGuard(app.get(Reflector)));
  await app.init();
  return app;
}
