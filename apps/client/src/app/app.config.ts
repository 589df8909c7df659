import { APP_BASE_HREF, Location } from '@angular/common';
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
  withDisabledInitialNavigation,
  withInMemoryScrolling,
  withNavigationErrorHandler,
} from '@angular/router';
import { provideApps } from '@homeport/apps/web';
import { provideFiles } from '@homeport/files/web';
import { bearerInterceptor } from '@homeport/identity/web';
import { ExactLocation, ExactUrlSerializer, PALETTE_SOURCES, problemInterceptor, Theme } from '@homeport/platform/web';
import { routes } from './app.routes';
import { PageTitleStrategy } from './page-title-strategy';
import { redirectToUnavailable } from './page-unavailable/redirect-to-unavailable';
import { Installation } from './pwa/installation';
import { startServiceWorkerWhenIdle } from './pwa/service-worker-start';

export const appConfig: ApplicationConfig = {
  providers: [
    provideBrowserGlobalErrorListeners(),
    provideHttpClient(withInterceptors([problemInterceptor, bearerInterceptor])),
    provideRouter(
      routes,
      withDisabledInitialNavigation(),
      withInMemoryScrolling({ scrollPositionRestoration: 'enabled' }),
      withNavigationErrorHandler(redirectToUnavailable),
    ),
    // Instead of `<base>`, which the Content Security Policy forbids.
    { provide: APP_BASE_HREF, useValue: '/' },
    { provide: Location, useClass: ExactLocation },
    { provide: UrlSerializer, useClass: ExactUrlSerializer },
    { provide: TitleStrategy, useClass: PageTitleStrategy },
    provideAppInitializer(() => {
      inject(Theme);
      inject(Installation).showIosHintOnce();
      startServiceWorkerWhenIdle();
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
