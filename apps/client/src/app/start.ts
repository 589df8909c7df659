import type { Type } from '@angular/core';
import { createApplication } from '@angular/platform-browser';
import { Router } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import { warmUpFormatters } from '@homeport/platform/web';
import { appConfig } from './app.config';
import { Shell } from './shell/shell';

/** The services that take longest to create. */
const EAGER_SERVICES: readonly Type<unknown>[] = [Router, AuthSession];

/** Starts the app in several short tasks, so that a slow device stays responsive. */
export async function start(): Promise<void> {
  await nextTask();
  const app = await createApplication(appConfig);
  for (const part of EAGER_SERVICES) {
    await nextTask();
    app.injector.get(part);
  }
  await nextTask();
  app.bootstrap(Shell);
  await nextTask();
  app.injector.get(Router).initialNavigation();
  await nextTask();
  warmUpFormatters();
}

/** Uses a message channel, because browsers throttle timers of hidden pages. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
