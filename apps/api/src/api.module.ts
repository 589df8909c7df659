import { type DynamicModule, Module } from '@nestjs/common';
import { AppsModule } from '@homeport/apps/server/nest';
import { FilesModule } from '@homeport/files/server/nest';
import { IdentityModule } from '@homeport/identity/server/nest';
import { HealthModule } from '@homeport/platform/server/http';
import { type HealthMonitor } from '@homeport/platform/server/health';
import { PricingModule } from '@homeport/pricing/server/nest';
import { UsageModule } from '@homeport/usage/server/nest';
import type { Adapters } from './adapters';

/** The root module. Each domain module declares its dependencies as options. */
@Module({})
export class ApiModule {
  static forRoot(adapters: Adapters, monitor: HealthMonitor, isDraining: () => boolean): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        IdentityModule.forRoot(adapters.identity),
        AppsModule.forRoot(adapters.apps),
        FilesModule.forRoot(adapters.files),
        PricingModule.forRoot(adapters.pricing),
        UsageModule.forRoot(adapters.usage),
        HealthModule.forRoot({ monitor, isDraining }),
      ],
    };
  }
}
