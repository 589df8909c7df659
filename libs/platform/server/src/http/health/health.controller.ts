import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { responseHeaders } from '../openapi/api-headers';
import { ApiProblems } from '../problems/api-problems';
import { NotReady } from './health.errors';
import { Readiness, type ReadinessReport } from './readiness';

const HEADERS = responseHeaders('Cache-Control');

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'checkLiveness',
    summary: 'Check liveness',
    description: 'Responds while the process runs. Checks no dependency.',
  })
  @ApiOkResponse({
    headers: HEADERS,
    schema: { type: 'object', required: ['status'], properties: { status: { enum: ['ok'] } } },
  })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'checkReadiness',
    summary: 'Check readiness',
    description: 'Reports whether this instance should receive requests, and the state of each dependency.',
  })
  @ApiOkResponse({
    headers: HEADERS,
    schema: {
      type: 'object',
      required: ['status', 'checks'],
      properties: {
        status: { enum: ['ok', 'degraded'] },
        checks: { type: 'object', additionalProperties: { enum: ['up', 'down'] } },
      },
    },
  })
  @ApiProblems(new NotReady([]))
  ready(): Promise<ReadinessReport> {
    return this.readiness.report();
  }
}
