import { Location } from '@angular/common';
import { provideHttpClient, withInterceptors } from '@angular/common/http';
import {
  type ApplicationConfig,
  inject,
  provideAppInitializer,
  provideBrowserGlobalErrorListeners,
} from '@angular/core';
import {
  provideRouter,
  TitleStrategy,
  UrlSerializer,
  withComponentInputBinding,
  withDisabledInitialNavigation,
  withInMemoryScrolling,
  withNavigationErrorHandler,
} from '@angular/router';
import { provideServiceWorker, SwRegistrationOptions } from '@angular/service-worker';
import { provideApps } from '@homeport/apps/web';
import { provideFiles } from '@homeport/files/web';
import { bearerInterceptor } from '@homeport/identity/web';
import { ExactLocation, ExactUrlSerializer, PALETTE_SOURCES, problemInterceptor, Theme } from '@homeport/platform/web';
import { routes } from './app.routes';
import { PageTitles } from './page-titles';
import { showUnavailable } from './page-unavailable/show-unavailable';
import { Installation } from './pwa/installation';
import { Updates } from './pwa/updates';
import { ServiceWorkerReregistration } from './pwa/worker-renewal';
import { workerRegistration } from './pwa/worker-registration';

export const appConfig: ApplicationConfig = {
  providers: [
    provideBrowserGlobalErrorListeners(),
    provideHttpClient(withInterceptors([problemInterceptor, bearerInterceptor])),
    provideRouter(
      routes,
      withComponentInputBinding(),
      withDisabledInitialNavigation(),
      withInMemoryScrolling({ scrollPositionRestoration: 'enabled' }),
      withNavigationErrorHandler(showUnavailable),
    ),
    { provide: Location, useClass: ExactLocation },
    { provide: UrlSerializer, useClass: ExactUrlSerializer },
    { provide: TitleStrategy, useClass: PageTitles },
    provideServiceWorker('ngsw-worker.js'),
    { provide: SwRegistrationOptions, useFactory: workerRegistration },
    provideAppInitializer(() => {
      inject(Theme);
      inject(Updates);
      inject(ServiceWorkerReregistration);
      inject(Installation).hintOnce();
    }),
    {
      provide: PALETTE_SOURCES,
      multi: true,
      useValue: async () => (await import('./palette/commands')).Commands,
    },
    provideFiles(),
    provideApps(),
  ],
};
