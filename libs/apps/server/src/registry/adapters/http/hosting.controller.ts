import { Controller, Get, Header } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Hosting } from '@homeport/apps/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import { type Member } from '@homeport/identity/contracts';
import { responseHeaders } from '@homeport/platform/server/http';
import { HostingBody } from './apps.dto';

/** The hosting settings, the same for every organization. */
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
    operationId: 'getHostingSettings',
    summary: 'Read the hosting settings',
    description: 'Returns the domain, the target of CNAME records, the reserved names and the limits.',
  })
  @ApiOkResponse({ type: HostingBody, headers: responseHeaders('Cache-Control', 'Vary') })
  get(@CurrentMember() _member: Member): Hosting {
    return this.hosting;
  }
}
