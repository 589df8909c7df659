import { Controller, Get, Header } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Hosting } from '@homeport/apps/contracts';
import { CurrentMember, type Member } from '@homeport/identity/server';
import { responseHeaders } from '@homeport/platform/server';
import { HostingBody } from './apps.dto';
import { MemberProblems } from './member-problems';

/** Where apps live, the same for every organization. */
@ApiTags('Apps')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/hosting')
export class HostingController {
  constructor(private readonly hosting: HostingBody) {}

  @Get()
  @Header('cache-control', 'private, no-cache')
  @Header('vary', 'Authorization')
  @ApiOperation({
    summary: 'Read where apps live',
    description: 'The domain, what CNAME records name, and the names nobody can register.',
  })
  @ApiOkResponse({ type: HostingBody, headers: responseHeaders('Cache-Control', 'Vary') })
  get(@CurrentMember() _member: Member): Hosting {
    return this.hosting;
  }
}
