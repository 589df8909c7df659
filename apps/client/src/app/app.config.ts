import { Location } from '@angular/common';
import { provideHttpClient, withInterceptors } from '@angular/common/http';
import {
  type ApplicationConfig,
  inject,
  isDevMode,
  provideAppInitializer,
  provideBrowserGlobalErrorListeners,
} from '@angular/core';
import {
  provideRouter,
  TitleStrategy,
  UrlSerializer,
  withComponentInputBinding,
  withInMemoryScrolling,
  withNavigationErrorHandler,
} from '@angular/router';
import { provideServiceWorker } from '@angular/service-worker';
import { bearerInterceptor } from '@homeport/identity/web';
import { ExactLocation, ExactUrlSerializer, problemInterceptor, Theme } from '@homeport/platform/web';
import { routes } from './app.routes';
import { PageTitles } from './page-titles';
import { showUnavailable } from './page-unavailable/show-unavailable';
import { Updates } from './updates';

export const appConfig: ApplicationConfig = {
  providers: [
    provideBrowserGlobalErrorListeners(),
    provideHttpClient(withInterceptors([problemInterceptor, bearerInterceptor])),
    provideRouter(
      routes,
      withComponentInputBinding(),
      withInMemoryScrolling({ scrollPositionRestoration: 'enabled' }),
      withNavigationErrorHandler(showUnavailable),
    ),
    { provide: Location, useClass: ExactLocation },
    { provide: UrlSerializer, useClass: ExactUrlSerializer },
    { provide: TitleStrategy, useClass: PageTitles },
    provideServiceWorker('ngsw-worker.js', { enabled: !isDevMode() }),
    provideAppInitializer(() => {
      inject(Theme);
      inject(Updates);
    }),
  ],
};
