import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Problems } from '../problems/describe-problems';
import { NotReady } from './health.errors';
import { Readiness, type ReadinessReport } from './readiness';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Whether the process runs; asks nothing else' })
  @ApiOkResponse({ schema: { type: 'object', required: ['status'], properties: { status: { enum: ['ok'] } } } })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Whether this instance should get requests, and what each dependency answers' })
  @ApiOkResponse({
    schema: {
      type: 'object',
      required: ['status', 'checks'],
      properties: {
        status: { enum: ['ok', 'degraded'] },
        checks: { type: 'object', additionalProperties: { enum: ['up', 'down'] } },
      },
    },
  })
  @Problems(new NotReady([]))
  ready(): Promise<ReadinessReport> {
    return this.readiness.report();
  }
}
