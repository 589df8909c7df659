import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import { type Member } from '@homeport/identity/contracts';
import { InvalidRequest } from '@homeport/kernel';
import type { FastifyReply } from 'fastify';
import { ChangeStreams } from './change-streams';

const TYPE = 'text/event-stream';

/** Live changes of the apps and domains of an organization. */
@ApiTags('Apps')
@ApiBearerAuth()
@MemberProblems(new InvalidRequest('The request body is not valid JSON in UTF-8.'))
@Controller('api/events')
export class ChangesController {
  constructor(private readonly streams: ChangeStreams) {}

  @Get()
  @ApiOperation({
    operationId: 'followChanges',
    summary: 'Follow changes of apps and domains',
    description:
      'Sends server-sent events: `app` with the id of an app that changed, `domain` with the id of a domain that was ' +
      'changed or checked, and `reset` when all may have changed. The stream starts with `reset`, and ends after five minutes; connect again then. Requires ' +
      '`Accept: text/event-stream`.',
  })
  @ApiOkResponse({
    description: 'The events',
    content: {
      [TYPE]: {
        schema: { type: 'string' },
        example: 'event: app\ndata: {"id":"0190d6c0-0000-7000-8000-000000000000"}\n\n',
      },
    },
  })
  follow(
    @CurrentMember() member: Member,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    // A client that does not expect a stream would wait for its end.
    if (!accept?.includes(TYPE)) throw new InvalidRequest(`This address sends events. Send Accept: ${TYPE}.`);
    const stream = this.streams.open(member);
    // The stream of a HEAD request has no reader that would end it.
    reply.raw.once('close', () => stream.destroy());
    void reply.type(TYPE).header('cache-control', 'private, no-store').send(stream);
  }
}
