import { Controller, Delete, Get, Header, HttpCode, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import {
  ApiCookieAuth,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
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
import { AllowAnyQuery, ApiProblems, QueryParameters, responseHeaders } from '@homeport/platform/server/http';
import { RateLimited } from '@homeport/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  CrossOriginRefused,
  IdentityProviderUnavailable,
  NoSession,
  SignInDisabled,
} from '../../domain/identity.errors';
import { BrowserSessionBody, SessionListBody, SignInProviderBody } from './identity.dto';
import { SignInFailureFilter } from './sign-in-failure.filter';
import { SignInHandler, type SignInQuery } from './sign-in-handler';

const REDIRECT_HEADERS = responseHeaders('Location', 'Cache-Control', 'Set-Cookie');
const UNCACHED_HEADERS = responseHeaders('Cache-Control');
const SIGNED_OUT_HEADERS = responseHeaders('Cache-Control', 'Set-Cookie', 'Clear-Site-Data');

/** The routes of the browser sign-in. The API itself never accepts the cookie that these routes set. */
@ApiTags('Sign-in')
@Controller('auth')
export class SignInController {
  constructor(private readonly pages: SignInHandler) {}

  @Get('providers')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'listSignInProviders',
    summary: 'List identity providers',
    description: 'Returns the providers that people can choose from; empty if sign-in is not configured.',
  })
  @ApiOkResponse({ type: [SignInProviderBody], headers: UNCACHED_HEADERS })
  @ApiProblems(new RateLimited())
  providers(): SignInProvider[] {
    return this.pages.providers();
  }

  @Get('sign-in')
  @UseFilters(SignInFailureFilter)
  @QueryParameters('provider', 'return_to')
  @ApiOperation({
    operationId: 'startSignIn',
    summary: 'Start the sign-in',
    description: 'Redirects the browser to the sign-in page of the identity service (authorization code with PKCE).',
  })
  @ApiQuery({
    name: 'provider',
    required: false,
    description: 'An id of `GET /auth/providers`; without it, the person chooses',
  })
  @ApiQuery({ name: 'return_to', required: false, description: 'A same-origin path; anything else becomes /' })
  @ApiResponse({ status: 302, description: 'To the identity service', headers: REDIRECT_HEADERS })
  @ApiResponse({
    status: 303,
    description: 'For a browser that navigates and a sign-in that failed: to the sign-in page, which shows the reason',
    headers: responseHeaders('Location', 'Cache-Control'),
  })
  @ApiProblems(new SignInDisabled(), new IdentityProviderUnavailable(), new RateLimited())
  signIn(@Query() wanted: SignInQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pages.start(wanted, request, reply);
  }

  @Get('callback')
  @UseFilters(SignInFailureFilter)
  @AllowAnyQuery()
  @ApiOperation({
    operationId: 'completeSignIn',
    summary: 'Complete the sign-in',
    description: 'The redirect address of the identity service. Sets the session cookie. HEAD is not allowed.',
  })
  @ApiResponse({
    status: 303,
    headers: REDIRECT_HEADERS,
    description: 'To the return path, with a session cookie; or to the sign-in page',
  })
  @ApiProblems(new SignInDisabled(), new RateLimited())
  callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pages.finish(request, reply);
  }

  @Get('session')
  @Header('cache-control', 'no-store')
  @ApiCookieAuth()
  @ApiOperation({
    operationId: 'getSession',
    summary: 'Read the session of this browser',
    description: 'Returns a bearer token for `/api`. Only same-origin requests of a browser are answered.',
  })
  @ApiHeader({
    name: REFUSED_TOKEN_HEADER,
    required: false,
    description: 'The SHA-256, base64url, of a token that /api refused: the answer holds another one',
  })
  // The cookie is replaced when an older key sealed it.
  @ApiOkResponse({ type: BrowserSessionBody, headers: responseHeaders('Cache-Control', 'Set-Cookie') })
  @ApiProblems(
    new NoSession(),
    new CrossOriginRefused(),
    new SignInDisabled(),
    new IdentityProviderUnavailable(),
    new RateLimited(),
  )
  session(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<BrowserSession> {
    return this.pages.session(request, reply);
  }

  @Get('sessions')
  @Header('cache-control', 'no-store')
  @ApiCookieAuth()
  @ApiOperation({
    operationId: 'listSessions',
    summary: 'List sessions',
    description: 'Returns every session of the signed-in person.',
  })
  @ApiOkResponse({ type: SessionListBody, headers: UNCACHED_HEADERS })
  @ApiProblems(new NoSession(), new CrossOriginRefused(), new SignInDisabled(), new RateLimited())
  sessions(@Req() request: FastifyRequest): Promise<SessionList> {
    return this.pages.list(request);
  }

  @Delete('sessions')
  @HttpCode(204)
  @Header('cache-control', 'no-store')
  @ApiCookieAuth()
  @ApiOperation({
    operationId: 'signOutEverywhere',
    summary: 'Sign out everywhere',
    description: 'Ends every session of the signed-in person, this one included, and clears the cookie.',
  })
  @ApiNoContentResponse({
    description: 'Access tokens issued before remain valid until they expire',
    headers: SIGNED_OUT_HEADERS,
  })
  @ApiProblems(new NoSession(), new CrossOriginRefused(), new SignInDisabled())
  signOutEverywhere(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.pages.signOutEverywhere(request, reply);
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @Header('cache-control', 'no-store')
  @ApiCookieAuth()
  @ApiOperation({
    operationId: 'endSession',
    summary: 'End one session',
    description: 'Ends a session of the signed-in person. Succeeds if the session does not exist.',
  })
  @ApiParam({ name: 'id', description: 'From `GET /auth/sessions`', example: 'o1VbQ0fJ4hYk2m9T' })
  @ApiNoContentResponse({
    description: 'Access tokens issued before remain valid until they expire',
    headers: UNCACHED_HEADERS,
  })
  @ApiProblems(new NoSession(), new CrossOriginRefused(), new SignInDisabled(), new RateLimited())
  revoke(@Req() request: FastifyRequest, @Param('id') id: string): Promise<void> {
    return this.pages.revoke(request, id);
  }

  @Post('sign-out')
  @HttpCode(204)
  @Header('cache-control', 'no-store')
  @ApiCookieAuth()
  @ApiOperation({
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session of this browser and clears its cookie.',
  })
  @ApiNoContentResponse({ description: 'Signed out', headers: SIGNED_OUT_HEADERS })
  @ApiProblems(new CrossOriginRefused(), new SignInDisabled())
  signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.pages.signOut(request, reply);
  }
}
