import { exitAfter, launch } from '@homeport/platform/server/launch';

await launch(async () => {
  const { run } = await import('./run');
  await exitAfter(() => run(process.argv.slice(2), process.env));
});
