// Runs inside a sandbox in place of an app, tries every wall, and prints the breaches: one JSON line each.
import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { access, open, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, release, tmpdir, version } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ANSWER_LIMIT_MS = 5_000;
const MEBIBYTE = 1024 ** 2;
const NAMES = new Set(['PATH', 'PWD', 'HOME', 'HOST', 'HOSTNAME', 'PORT', 'TMPDIR', 'NODE_ENV', 'NODE_USE_ENV_PROXY']);
const PROXY_NAMES = /^(http|https|no)_proxy$/i;
/** What bubblewrap creates below /dev. */
const DEVICES = /^(console|core|fd|full|null|ptmx|pts|random|shm|std(in|out|err)|tty|urandom|zero)$/;
const FOLDERS = /^(app|bin|dev|etc|homeport|lib(32|64)?|proc|sbin|tmp|usr)$/;

const { HOMEPORT_EXAMINATION } = process.env;
delete process.env['HOMEPORT_EXAMINATION'];
const target = JSON.parse(HOMEPORT_EXAMINATION);

const succeeds = (attempt) =>
  Promise.resolve()
    .then(attempt)
    .then(
      () => true,
      () => false,
    );
const isOfOwnKernel = (folder) => target.hostKernel !== undefined && folder === 'sys';
const canRead = (path) => succeeds(() => readFile(path));

async function canWrite(folder) {
  const path = join(folder, `${target.marker}.new`);
  return succeeds(async () => {
    await writeFile(path, '');
    await rm(path);
  });
}

/** Whether a connection opens and the listener says that it is the target. */
function reaches(options, greeting) {
  return new Promise((resolve) => {
    const socket = connect(options);
    const close = (isReached) => {
      socket.destroy();
      resolve(isReached);
    };
    let heard = '';
    socket.setTimeout(ANSWER_LIMIT_MS, () => close(false));
    socket.once('connect', () => greeting && socket.write(greeting));
    socket.on('error', () => close(false)).on('end', () => close(false));
    socket.on('data', (data) => (heard += data).includes(target.marker) && close(true));
  });
}

/** Whether a datagram is answered, as a question to a name server would be. */
function isAnswered(port) {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const timer = setTimeout(() => close(false), ANSWER_LIMIT_MS);
    const close = (isReached) => {
      clearTimeout(timer);
      socket.close();
      resolve(isReached);
    };
    socket.once('error', () => close(false));
    socket.once('message', (data) => close(String(data) === target.marker));
    // A connected socket is told that no one listens.
    socket.connect(port, '127.0.0.1', () => socket.send('question'));
  });
}

async function anyOf(list, attempt) {
  for (const each of list) if (await attempt(each)) return each;
  return undefined;
}

function throughProxy(host) {
  const proxy = process.env['HTTP_PROXY'];
  if (proxy === undefined) return false;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${target.port}`;
  const { hostname, port } = new URL(proxy);
  return reaches({ host: hostname, port: Number(port) }, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
}

const MAPPED = (address) => (address.includes(':') ? [] : [`::ffff:${address}`]);

async function processIds() {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function statusOf(key) {
  return new RegExp(`^${key}:\\s*(\\S+)`, 'm').exec(await readFile('/proc/self/status', 'utf8'))?.[1];
}

/** The system calls of the table that the kernel executes. Their arguments are invalid, so that nothing happens. */
async function reachedCalls() {
  const DENIED = [1, 38, 97];
  const code = target.calls.map(([name, ...numbers]) => `r("${name}", ${numbers.join(', ')});`).join(' ');
  const script = `sub r { my ($n, $c, @a) = @_; $! = 0; my $r = syscall($c, @a); print "$n ", ($r == -1 ? $!+0 : 0), "\\n"; } ${code}`;
  const { stdout } = await run('perl', ['-e', script]).catch(() => ({ stdout: '' }));
  const results = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '));
  return results.filter(([, error]) => !DENIED.includes(Number(error))).map(([name]) => name);
}

async function fillsTemporaryFolder() {
  const path = join(tmpdir(), target.marker);
  const chunk = Buffer.alloc(MEBIBYTE);
  const file = await open(path, 'w');
  const isFilled = await succeeds(async () => {
    for (let written = 0; written <= target.limits.tmpBytes; written += chunk.length) await file.write(chunk);
  });
  await file.close();
  await rm(path);
  return isFilled;
}

async function startsProcesses() {
  const children = [];
  const started = await succeeds(async () => {
    for (let count = 0; count <= target.limits.processes; count += 1) {
      const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
      children.push(child);
      await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    }
  });
  for (const child of children) child.kill('SIGKILL');
  return started;
}

async function filesystemOf(path) {
  return statfs(path).then(
    ({ bsize, blocks }) => bsize * blocks,
    () => 0,
  );
}

/** Each attack returns what it reached, or a falsy value when the wall holds. */
const ATTACKS = {
  'files: a file of the host can be read': () => canRead(target.secretFile),
  'files: folders of the host are visible': async () =>
    (await readdir('/')).some((name) => !FOLDERS.test(name) && !isOfOwnKernel(name)),
  'files: a folder can be written': () => anyOf(target.folders, canWrite),
  'files: shared memory has no limit': async () =>
    (await canWrite('/dev/shm')) && (await filesystemOf('/dev/shm')) > target.limits.tmpBytes,
  'network: a service on the loopback interface answers': () =>
    anyOf(['127.0.0.1', '::1'], (host) => reaches({ host, port: target.port })),
  'network: a name server on the loopback interface answers': () => isAnswered(target.datagramPort),
  'network: a service on an address of the host answers': () =>
    anyOf(target.addresses, (host) => reaches({ host, port: target.port })),
  'network: interfaces of the host are visible': () => Object.keys(networkInterfaces()).some((name) => name !== 'lo'),
  'network: an abstract socket of the host answers': () => reaches({ path: `\0${target.marker}` }),
  'network: the proxy connects to the host': () =>
    anyOf(
      [
        '127.0.0.1',
        '127.0.0.2',
        'localhost',
        '::1',
        ...target.addresses,
        ...['127.0.0.1', ...target.addresses].flatMap(MAPPED),
      ],
      throughProxy,
    ),
  'processes: others are visible': async () => (await processIds()).length > 3,
  'processes: others can be signalled': () => succeeds(() => process.kill(target.pid, 0)),
  'environment: that of the runtime can be read': () => canRead(`/proc/${target.pid}/environ`),
  'environment: unknown names': () =>
    Object.keys(process.env).some((name) => !NAMES.has(name) && !PROXY_NAMES.test(name)),
  'kernel: system calls are not filtered': async () => (await statusOf('Seccomp')) !== '2',
  'kernel: programs can gain privileges': async () => (await statusOf('NoNewPrivs')) !== '1',
  'kernel: capabilities are left': async () => !/^0+$/.test(`${await statusOf('CapEff')}${await statusOf('CapBnd')}`),
  'kernel: denied system calls are executed': async () => (await reachedCalls()).join(', '),
  'kernel: user namespaces can be created': () => succeeds(() => run('unshare', ['--user', 'true'])),
  'host: settings of the kernel can be written': () =>
    succeeds(async () => (await open('/proc/sys/kernel/core_pattern', 'r+')).close()),
  'host: devices are visible': async () => (await readdir('/dev')).filter((name) => !DEVICES.test(name)).join(', '),
  'host: control groups are visible': () => succeeds(() => access('/sys/fs/cgroup')),
  'exhaustion: the temporary folder has no limit': fillsTemporaryFolder,
  'exhaustion: processes have no limit': startsProcesses,
};

/** Runs alone, because the kernel may kill the whole sandbox. */
function exhaustMemory() {
  const blocks = [];
  const all = 2 * target.limits.memoryBytes + target.reservedBytes;
  return succeeds(() => {
    for (let size = 0; size < all; size += 8 * MEBIBYTE) blocks.push(Buffer.alloc(8 * MEBIBYTE, 1));
  });
}

/** A kernel that serves this sandbox alone shows what it wants, and what the app can do to it is harmless. */
function attacksOnKernel() {
  if (target.hostKernel === undefined) return ATTACKS;
  const others = Object.entries(ATTACKS).filter(
    ([wall]) => !/^kernel:|devices|control groups|processes have/.test(wall),
  );
  return { ...Object.fromEntries(others), 'kernel: it is that of the host': isHostKernel };
}

const isHostKernel = () => `${release()} ${version()}` === target.hostKernel;

/** Each runs in a separate sandbox, which it may end. */
const ALONE = {
  memory: { 'exhaustion: memory has no limit': exhaustMemory },
  processes: { 'exhaustion: processes have no limit': startsProcesses },
};

const attacks = target.alone ? ALONE[target.alone] : attacksOnKernel();
for (const [wall, attack] of Object.entries(attacks)) {
  const reached = await Promise.resolve()
    .then(attack)
    .catch((error) => `the attempt failed: ${error.message}`);
  if (reached) console.log(JSON.stringify({ breach: typeof reached === 'string' ? `${wall} (${reached})` : wall }));
}
console.log(JSON.stringify({ isComplete: true }));
