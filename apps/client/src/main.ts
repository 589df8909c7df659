import { bootstrapApplication } from '@angular/platform-browser';
import { speak, wantedLanguage } from '@homeport/platform/web';
import { appConfig } from './app/app.config';
import { Shell } from './app/shell/shell';
import { allowWorkers } from './trusted-types';

allowWorkers();
// Templates and functions ask for their words when they are first used, which is after this.
speak(wantedLanguage(), { de: async () => (await import('./locale/de')).useGerman() })
  .then(() => bootstrapApplication(Shell, appConfig))
  .catch(reportError);
