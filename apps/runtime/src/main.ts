import { launch } from '@homeport/platform/server/launch';

await launch(async () => {
  const { start } = await import('./start');
  await start(process.env);
});
