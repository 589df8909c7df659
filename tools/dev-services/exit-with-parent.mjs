// Plain JavaScript: a program that has no TypeScript of its own would load 40 MiB of Node's for this alone.
// Preloaded (`--import`) into a program that does not know its parent: a channel to a parent that is gone means that
// nobody will ever stop us. The preload is inherited by the program's own children, who have another parent.
const parent = Number(new URL(import.meta.url).searchParams.get('parent'));

function follow() {
  process.on('disconnect', () => {
    if (process.platform === 'win32') process.emit('SIGTERM', 'SIGTERM');
    else process.kill(process.pid, 'SIGTERM');
  });
  // The parent's end of our output is gone then too, and writing to it must not end us before we have drained.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // Listening alone must not keep a program alive that has closed everything.
  process.channel?.unref();
}

if (process.ppid === parent) follow();
