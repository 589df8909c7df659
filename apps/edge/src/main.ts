import { endOnSignal, launch } from '@homeport/platform/server/launch';

await launch(async () => {
  const [, , ...args] = process.argv;
  if (args.length > 0) {
    const { explain } = await import('./explain');
    process.exit(explain(args));
  }
  endOnSignal();
  const { start } = await import('./start');
  await start(process.env);
});
