import { launch } from '@homeport/platform/server/launch';

await launch(async () => {
  const { run } = await import('./run');
  process.exit(await run(process.argv.slice(2), process.env));
});
