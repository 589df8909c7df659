import { launch } from '@homeport/platform/server/launch';

await launch(async () => {
  if (process.argv[2] === 'doctor') {
    const { examineMachine } = await import('./doctor');
    process.exit((await examineMachine(process.env, (line) => void process.stdout.write(`${line}\n`))) ? 0 : 1);
  }
  const { start } = await import('./start');
  await start(process.env);
});
