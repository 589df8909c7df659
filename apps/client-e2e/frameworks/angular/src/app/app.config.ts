import type { ApplicationConfig } from '@angular/core';
import { provideClientHydration, withEventReplay } from '@angular/platform-browser';
import { provideRouter } from '@angular/router';
import { About } from './about';
import { Home } from './home';

export const appConfig: ApplicationConfig = {
  providers: [
    provideRouter([
      { path: '', component: Home },
      { path: 'about', component: About },
    ]),
    provideClientHydration(withEventReplay()),
  ],
};
