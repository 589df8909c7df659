// A server of a tenant with a secret in each place where an app can have one.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';

const { MARKER, SECRET, TMPDIR, PATH, PORT } = process.env;
writeFileSync(`${TMPDIR}/${MARKER}`, SECRET);
const child = spawn('sh', ['-c', 'sleep 100000; exit', MARKER], { env: { PATH, SECRET }, detached: true });
const close = () => {
  process.kill(-child.pid, 'SIGKILL');
  process.exit(0);
};
process.once('SIGTERM', close);
createSocketServer((socket) => socket.end(SECRET)).listen(`\0${MARKER}`, () =>
  createServer((_, response) => response.end('hello')).listen(Number(PORT), '127.0.0.1'),
);
