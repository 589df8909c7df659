// Preloaded (`--import`) into a program that does not watch its parent: when the IPC channel closes, the parent has
// ended and the program must stop itself. The program's own children inherit the preload but have another parent. Plain
// JavaScript: loading TypeScript support would cost 40 MiB of memory.
const parent = Number(new URL(import.meta.url).searchParams.get('parent'));

function follow() {
  process.on('disconnect', () => {
    if (process.platform === 'win32') process.emit('SIGTERM', 'SIGTERM');
    else process.kill(process.pid, 'SIGTERM');
  });
  // The parent's end of the output pipes is closed too; writing to them must not end the program before it has drained.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // The listener alone must not keep a finished program running.
  process.channel?.unref();
}

if (process.ppid === parent) follow();
