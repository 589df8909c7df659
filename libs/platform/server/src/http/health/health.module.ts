import { type DynamicModule, Module } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller';
import { type HealthOptions, Readiness } from './readiness';

@Module({})
export class HealthModule {
  static forRoot(options: HealthOptions): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [
        {
          provide: Readiness,
          useFactory: (health: HealthCheckService, indicators: HealthIndicatorService) =>
            new Readiness(health, indicators, options),
          inject: [HealthCheckService, HealthIndicatorService],
        },
      ],
    };
  }
}
