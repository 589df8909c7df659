import { launch } from '@homeport/platform/server/launch';

await launch(async () => {
  const [command, ...args] = process.argv.slice(2);
  if (command === 'doctor') {
    const { run } = await import('./doctor/run');
    process.exit(await run(args, process.env));
  }
  if (command === 'reseal') {
    const { run } = await import('./reseal/run');
    process.exit(await run(process.env));
  }
  const { start } = await import('./start');
  await start(process.env);
});
