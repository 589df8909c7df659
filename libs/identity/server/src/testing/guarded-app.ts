import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ProblemFilter } from '@homeport/platform/server';
import { CurrentMember, CurrentPrincipal, type Member } from '../adapters/http/current-principal';
import { SessionCookies } from '../adapters/http/session-cookies';
import { SignInPages } from '../adapters/http/sign-in-pages';
import type { KeySet } from '../application/key-set.port';
import type { Principal } from '../domain/principal';
import { SealedBox } from '../domain/sealed-box';
import type { TokenRules } from '../domain/token-policy';
import { IdentityModule } from '../identity.module';

@Controller()
class GuardedController {
  @Get('person')
  person(@CurrentPrincipal() principal: Principal): Principal {
    return principal;
  }

  @Get('member')
  member(@CurrentMember() member: Member): Member {
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

export interface GuardedAppOptions {
  readonly rules: TokenRules;
  readonly keySet: KeySet;
  readonly perUser?: number;
  readonly perAddress?: number;
  readonly trustProxy?: string[];
}

/** A small application behind the real guard: `/person`, `/member`, `/public` and `/probe`, each of the policy it names. */
export async function guardedApp(options: GuardedAppOptions): Promise<NestFastifyApplication> {
  const { rules, keySet, perUser = 0, perAddress = 0, trustProxy = false } = options;
  const cookies = new SessionCookies('http://localhost', new SealedBox([randomBytes(32)]));
  const identity = IdentityModule.with({
    tokenRules: rules,
    keySet,
    signInPages: new SignInPages(undefined, cookies, 'http://localhost'),
    access: {
      policies: { 'GET /person': 'person', 'GET /member': 'member', 'GET /public': 'public', 'GET /probe': 'probe' },
      perUser,
      perAddress,
    },
  });
  @Module({ imports: [identity], controllers: [GuardedController] })
  class GuardedModule {}
  const adapter = new FastifyAdapter({ trustProxy, maxParamLength: 8_192 });
  const app = await NestFactory.create<NestFastifyApplication>(GuardedModule, adapter, {
    logger: false,
    abortOnError: false,
  });
  await adapter.getInstance().register(cookie);
  app.useGlobalFilters(new ProblemFilter());
  await app.init();
  return app;
}
