import { endOnSignal, exitAfter, launch } from '@homeport/platform/server/launch';

await launch(async () => {
  const [, , ...args] = process.argv;
  if (args.length > 0) {
    const { runCommand } = await import('./run-command');
    await exitAfter(() => runCommand(args, process.env));
  }
  endOnSignal();
  const { start } = await import('./start');
  await start(process.env);
});
