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
import { PageTitleStrategy } from './page-title-strategy';
import { redirectToUnavailable } from './page-unavailable/redirect-to-unavailable';
import { Installation } from './pwa/installation';
import { Updates } from './pwa/updates';
import { ServiceWorkerReregistration } from './pwa/service-worker-reregistration';
import { serviceWorkerRegistration } from './pwa/service-worker-registration';

export const appConfig: ApplicationConfig = {
  providers: [
    provideBrowserGlobalErrorListeners(),
    provideHttpClient(withInterceptors([problemInterceptor, bearerInterceptor])),
    provideRouter(
      routes,
      withComponentInputBinding(),
      withDisabledInitialNavigation(),
      withInMemoryScrolling({ scrollPositionRestoration: 'enabled' }),
      withNavigationErrorHandler(redirectToUnavailable),
    ),
    { provide: Location, useClass: ExactLocation },
    { provide: UrlSerializer, useClass: ExactUrlSerializer },
    { provide: TitleStrategy, useClass: PageTitleStrategy },
    provideServiceWorker('ngsw-worker.js'),
    { provide: SwRegistrationOptions, useFactory: serviceWorkerRegistration },
    provideAppInitializer(() => {
      inject(Theme);
      inject(Updates);
      inject(ServiceWorkerReregistration);
      inject(Installation).showIosHintOnce();
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
