import { bootstrapApplication } from '@angular/platform-browser';
import { appConfig } from './app/app.config';
import { Shell } from './app/shell/shell';
import { allowServiceWorker } from './trusted-types';

allowServiceWorker();
bootstrapApplication(Shell, appConfig).catch(reportError);
