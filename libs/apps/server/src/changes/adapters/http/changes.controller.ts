import { Controller, Get, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentMember } from '@homeport/identity/server';
import { type Member } from '@homeport/identity/contracts';
import type { FastifyReply } from 'fastify';
import { MemberProblems } from '../../../shared/adapters/http/member-problems';
import { ChangeStreams } from './change-streams';

/** Live changes of the apps of an organization. */
@ApiTags('Apps')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/events')
export class ChangesController {
  constructor(private readonly streams: ChangeStreams) {}

  @Get()
  @ApiOperation({
    summary: 'Follow changes of the apps',
    description:
      'Sends server-sent events: `app` with the id of an app that changed, and `reset` when changes may have been ' +
      'missed. The stream starts with `reset`, and ends after five minutes; connect again then.',
  })
  @ApiOkResponse({
    description: 'The events',
    content: {
      'text/event-stream': {
        schema: { type: 'string' },
        example: 'event: app\ndata: {"id":"0190d6c0-0000-7000-8000-000000000000"}\n\n',
      },
    },
  })
  follow(@CurrentMember() member: Member, @Res() reply: FastifyReply): void {
    const stream = this.streams.open(member);
    void reply.type('text/event-stream').header('cache-control', 'private, no-store').send(stream);
  }
}
