import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiExtraModels,
  ApiHeader,
  type ApiHeaderOptions,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  type ApiQueryOptions,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { RuntimeDetails } from '@homeport/apps/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import type { Member } from '@homeport/identity/contracts';
import { InvalidRequest } from '@homeport/kernel';
import { ApiProblems, QueryParameters } from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppNotFound } from '../../../registry/domain/apps.errors';
import { MAX_PAGE_SIZE, parseListRequest } from '../../../shared/adapters/http/list-requests';
import { AppRuntime, LINES_PER_PAGE } from '../../application/app-runtime';
import type { LogSelection } from '../../application/runtime-reports.port';
import { parseLineId, parseSince } from '../../domain/log-cursor';
import { LogStreams } from './log-streams';
import { LogPageBody, RuntimeDetailsBody } from './runtime.dto';

const EVENTS = 'text/event-stream';
const DEPLOY: ApiQueryOptions = {
  name: 'deploy',
  required: false,
  description: 'The id of the deploy whose lines are wanted; absent for all deploys',
  schema: { type: 'string', format: 'uuid' },
};
const SINCE: ApiQueryOptions = {
  name: 'since',
  required: false,
  description: 'The time of the first line that is wanted',
  schema: { type: 'string', format: 'date-time' },
};
const LIMIT: ApiQueryOptions = {
  name: 'limit',
  required: false,
  schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: LINES_PER_PAGE },
};
const CURSOR: ApiQueryOptions = { name: 'cursor', required: false, schema: { type: 'string' } };
const BEFORE: ApiQueryOptions = {
  name: 'before',
  required: false,
  description: 'The id of the line that follows the last wanted one, to read backwards; not for streams',
  schema: { type: 'string' },
};
const LAST_EVENT_ID: ApiHeaderOptions = {
  name: 'Last-Event-ID',
  required: false,
  description: 'The id of the last line that a stream received, so that the next one continues after it',
  schema: { type: 'string' },
};

/** The servers of an app. */
@ApiTags('Runtime')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/apps/:id')
export class RuntimeController {
  constructor(
    private readonly runtime: AppRuntime,
    private readonly streams: LogStreams,
  ) {}

  @Get('runtime')
  @ApiOperation({
    operationId: 'getRuntime',
    summary: 'Read the state of the servers of an app',
    description: 'Returns the state, the instances that run or are frozen, and their limits.',
  })
  @ApiOkResponse({ type: RuntimeDetailsBody })
  @ApiProblems(new AppNotFound())
  get(@CurrentMember() member: Member, @Param('id') id: string): Promise<RuntimeDetails> {
    return this.runtime.get(member, id);
  }

  @Post('runtime/restart')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'restartRuntime',
    summary: 'Restart the servers of an app',
    description: 'Starts new instances, and stops the old ones when those are ready.',
  })
  @ApiAcceptedResponse()
  @ApiProblems(new AppNotFound())
  restart(@CurrentMember() member: Member, @Param('id') id: string): Promise<void> {
    return this.runtime.restart(member, id);
  }

  @Get('logs')
  @ApiOperation({
    operationId: 'listLogLines',
    summary: 'Read the log of an app',
    description:
      'Returns lines, oldest first: those after `cursor` or `since`, else the last ones, or the last before `before`. With ' +
      '`Accept: text/event-stream` it sends each line as an event, and new ones as they are written; the stream ends ' +
      'after a minute, and continues after the line in `Last-Event-ID`. Lines are kept for 7 days, and 10 MiB per app.',
  })
  @ApiQuery(DEPLOY)
  @ApiQuery(SINCE)
  @ApiQuery(LIMIT)
  @ApiQuery(CURSOR)
  @ApiQuery(BEFORE)
  @ApiHeader(LAST_EVENT_ID)
  @ApiExtraModels(LogPageBody)
  @ApiOkResponse({
    description: 'The lines',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(LogPageBody) } },
      [EVENTS]: { schema: { type: 'string' }, example: 'id: 1042\ndata: {"id":"1042","line":"Listening"}\n\n' },
    },
  })
  @ApiProblems(new InvalidRequest(''), new AppNotFound())
  @QueryParameters('deploy', 'since', 'limit', 'cursor', 'before')
  async logs(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = request.query as Readonly<Record<string, string>>;
    if (!request.headers.accept?.includes(EVENTS)) {
      const selection = {
        ...selectionOf(query),
        ...(query['before'] && { before: parseLineId('before', query['before']) }),
      };
      return void reply.send(await this.runtime.logs(member, id, selection, parseListRequest(query).limit));
    }
    if (query['before'] !== undefined) throw backwardsStream();
    const selection = selectionOf(query, String(request.headers['last-event-id'] ?? ''));
    const appId = await this.runtime.assertFound(member, id);
    const stream = this.streams.open(member.organization, appId, selection);
    // The stream of a HEAD request has no reader that would end it.
    reply.raw.once('close', () => stream.destroy());
    void reply.type(EVENTS).header('cache-control', 'private, no-store').send(stream);
  }
}

function backwardsStream(): InvalidRequest {
  return new InvalidRequest('A stream cannot go backwards.', [{ field: 'before', reason: 'Streams do not have it.' }]);
}

/** @param lastEventId the last line that a client received. @throws {InvalidRequest} */
function selectionOf({ deploy, since, cursor }: Readonly<Record<string, string>>, lastEventId?: string): LogSelection {
  const after = lastEventId ? parseLineId('Last-Event-ID', lastEventId) : cursor && parseLineId('cursor', cursor);
  return {
    ...(deploy !== undefined && { deployId: deploy }),
    ...(since !== undefined && { since: parseSince(since) }),
    ...(after !== undefined && after !== '' && { after }),
  };
}
