import { Controller, Delete, Get, Header, HttpCode, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import {
  ApiCookieAuth,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import {
  type BrowserSession,
  REFUSED_TOKEN_HEADER,
  type SessionList,
  type SignInProvider,
} from '@homeport/identity/contracts';
import { AnyQuery, Problems, QueryParameters, RateLimited } from '@homeport/platform/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  CrossOriginRefused,
  IdentityServiceUnavailable,
  NoSession,
  SignInDisabled,
} from '../../domain/identity.errors';
import { BrowserSessionBody, SessionListBody, SignInProviderBody } from './identity.dto';
import { SignInFailures } from './sign-in-failures.filter';
import { SignInPages, type WantedSignIn } from './sign-in-pages';

/** The browser's way in. The API itself never accepts the cookie these routes set. */
@ApiTags('Sign-in')
@Controller('auth')
export class SignInController {
  constructor(private readonly pages: SignInPages) {}

  @Get('providers')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The identity providers people can choose from' })
  @ApiOkResponse({ type: [SignInProviderBody] })
  @Problems(new RateLimited())
  providers(): SignInProvider[] {
    return this.pages.providers();
  }

  @Get('sign-in')
  @UseFilters(SignInFailures)
  @QueryParameters('provider', 'return_to')
  @ApiOperation({ summary: 'Goes to the hosted sign-in page' })
  @ApiQuery({ name: 'provider', required: false })
  @ApiQuery({ name: 'return_to', required: false, description: 'A path of ours; anything else becomes /' })
  @ApiResponse({ status: 302, description: 'To the identity service' })
  @ApiResponse({ status: 303, description: 'A browser that navigates, to the sign-in page, which says what failed' })
  @Problems(new SignInDisabled(), new IdentityServiceUnavailable(), new RateLimited())
  signIn(@Query() wanted: WantedSignIn, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pages.start(wanted, request, reply);
  }

  @Get('callback')
  @UseFilters(SignInFailures)
  @AnyQuery()
  @ApiOperation({ summary: 'Where the identity service sends people back to' })
  @ApiResponse({
    status: 303,
    description: 'To the page the person wanted, with a session cookie; or to the sign-in page',
  })
  @Problems(new SignInDisabled(), new RateLimited())
  callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pages.finish(request, reply);
  }

  @Get('session')
  @Header('cache-control', 'no-store')
  @ApiCookieAuth()
  @ApiOperation({ summary: 'The session of this browser, with a bearer token for /api' })
  @ApiHeader({
    name: REFUSED_TOKEN_HEADER,
    required: false,
    description: 'The SHA-256, base64url, of a token that /api refused: the answer holds another one',
  })
  @ApiOkResponse({ type: BrowserSessionBody })
  @Problems(
    new NoSession(),
    new CrossOriginRefused(),
    new SignInDisabled(),
    new IdentityServiceUnavailable(),
    new RateLimited(),
  )
  session(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<BrowserSession> {
    return this.pages.session(request, reply);
  }

  @Get('sessions')
  @Header('cache-control', 'no-store')
  @ApiCookieAuth()
  @ApiOperation({ summary: 'Where this person is signed in' })
  @ApiOkResponse({ type: SessionListBody })
  @Problems(new NoSession(), new CrossOriginRefused(), new SignInDisabled(), new RateLimited())
  sessions(@Req() request: FastifyRequest): Promise<SessionList> {
    return this.pages.list(request);
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @ApiCookieAuth()
  @ApiOperation({ summary: 'Signs this person out somewhere else; absent already is fine' })
  @ApiNoContentResponse({ description: 'Access tokens given out before work until they expire' })
  @Problems(new NoSession(), new CrossOriginRefused(), new SignInDisabled(), new RateLimited())
  revoke(@Req() request: FastifyRequest, @Param('id') id: string): Promise<void> {
    return this.pages.revoke(request, id);
  }

  @Post('sign-out')
  @HttpCode(204)
  @ApiCookieAuth()
  @ApiOperation({ summary: 'Ends the session of this browser' })
  @ApiNoContentResponse()
  @Problems(new CrossOriginRefused(), new SignInDisabled())
  signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.pages.signOut(request, reply);
  }
}
