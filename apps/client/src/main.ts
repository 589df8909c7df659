import { loadLanguage, preferredLanguage } from '@homeport/platform/web';
import { start } from './app/start';
import { allowWorkers } from './trusted-types';

allowWorkers();
// Templates and functions ask for their words when they are first used, which is after this.
loadLanguage(preferredLanguage(), { de: async () => (await import('./locale/de')).useGerman() })
  .then(start)
  .catch(reportError);
