import { loadLanguage, preferredLanguage } from '@homeport/platform/web';
import { start } from './app/start';
import { allowWorkers } from './trusted-types';

allowWorkers();
// Templates and functions translate their texts on first use, which happens after this.
loadLanguage(preferredLanguage(), { de: async () => (await import('./locale/de')).useGerman() })
  .then(start)
  .catch(reportError);
