import { launch } from '@homeport/platform/server/launch';

await launch(async () => {
  const [, , ...args] = process.argv;
  if (args.length > 0) {
    const { explain } = await import('./explain');
    process.exit(explain(args));
  }
  const { start } = await import('./start');
  await start(process.env);
});
