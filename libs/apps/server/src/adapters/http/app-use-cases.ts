import type { AppCatalog } from '../../application/registry/app-catalog';
import type { DeleteApp } from '../../application/registry/delete-app';
import type { RegisterAppOnce } from '../../application/registry/register-app-once';
import type { RetryDns } from '../../application/registry/retry-dns';

/** The use cases behind the routes of apps. */
export class AppUseCases {
  constructor(
    readonly catalog: AppCatalog,
    readonly registerApp: RegisterAppOnce,
    readonly deleteApp: DeleteApp,
    readonly retryDns: RetryDns,
  ) {}
}
