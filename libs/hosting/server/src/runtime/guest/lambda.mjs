// The handler of an app's function on AWS Lambda: starts the server of the app as a process, passes requests to it, and
// sends its responses and its log as frames. `lambda-frames.ts` reads them.
import { spawn } from 'node:child_process';
import { createDecipheriv, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FRAMES = { started: 1, line: 2, exited: 3, head: 4, body: 5, failed: 6, ended: 7, instance: 8 };
/** The functions of all apps have their files here; the settings name them under this path. */
const TASK_ROOT = '/var/task';
/** Lines and exits between two requests wait for the next one. */
const MAX_WAITING = 1_000;
/** A connection that breaks usually announces the exit of its process. */
const EXIT_NOTICE_MS = 500;

const root = process.env.LAMBDA_TASK_ROOT ?? TASK_ROOT;
const readSettings = (name) => readFileSync(join(root, 'homeport', name));
const { args, startMs, lineBytes, cache } = JSON.parse(readSettings('settings.json'));
const environment = openEnvironment(readSettings('environment.sealed'), process.env.HOMEPORT_KEY);
const instance = { id: randomUUID(), startedOn: new Date().toISOString() };

// A link in the package leads here: the package itself is read-only.
if (cache) mkdirSync(cache, { recursive: true });

let requests = 0;
/** The server of the app; undefined before its start and after its exit. */
let current;
/** Sends a frame; undefined between two requests. */
let sink;
const waiting = [];

/** The package has the variables sealed; the key is in the configuration of the function. */
function openEnvironment(sealed, key) {
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]));
}

function emit(type, value) {
  if (sink) return sink(type, value);
  waiting.push([type, value]);
  if (waiting.length > MAX_WAITING) waiting.shift();
}

function readLines(input, stream) {
  createInterface({ input, crlfDelay: Infinity }).on('line', (line) =>
    emit('line', { stream, line: line.slice(0, lineBytes) }),
  );
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** The guest in the process of the app connects, waits until it may run the app, and says when the app listens. */
async function listeningOn(control) {
  const [socket] = await once(control, 'connection');
  control.close();
  socket.setEncoding('utf8').on('error', () => undefined);
  for await (const message of socket.iterator({ destroyOnReturn: false })) {
    if (message.includes('opened')) socket.write('closed\n');
    if (message.includes('listening')) return;
  }
  throw new Error('its guest has ended');
}

async function launch() {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
  const paths = { control: join(folder, 'control'), http: join(folder, 'http') };
  const control = createServer().listen(paths.control);
  const port = String(await freePort());
  const { PATH, LD_LIBRARY_PATH } = process.env;
  const guest = JSON.stringify({ channel: paths });
  const inRoot = (argument) => argument.replace(TASK_ROOT, root);
  const child = spawn(process.execPath, args.map(inRoot), {
    cwd: join(root, 'app'),
    env: { PATH, ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }), HOMEPORT_GUEST: guest },
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify({ environment: { ...environment, PORT: port, HOME: tmpdir(), TMPDIR: tmpdir() } }));
  readLines(child.stdout, 'stdout');
  readLines(child.stderr, 'stderr');
  const exited = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
    // A process that the app has left behind may keep the pipes open.
    child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), EXIT_NOTICE_MS));
  });
  void exited.then(() => {
    control.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const listening = listeningOn(control);
  listening.catch(() => undefined);
  return { pid: child.pid, socketPath: paths.http, listening, exited, kill: () => child.kill('SIGKILL') };
}

/** Starts the server of the app. @throws {Error} with the exit, or without one when the start takes too long. */
async function start() {
  const server = await launch();
  const { listening, exited } = server;
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, startMs, { isLate: true })));
  const outcome = await Promise.race([listening.then(() => undefined).catch(() => exited), exited, late]);
  clearTimeout(timer);
  if (outcome?.isLate) server.kill();
  if (outcome) throw Object.assign(new Error('no start'), { exit: outcome.isLate ? undefined : outcome });
  void exited.then((exit) => {
    current = undefined;
    emit('exited', exit);
  });
  return server;
}

/** @returns the running server. Starts a new one when the former has exited. */
function runningServer() {
  current ??= start();
  current.catch(() => undefined);
  return current;
}

/** Servers close connections that are announced as the last one right after the response, and lose the rest of the body. */
class OneRequestAgent extends Agent {
  keepSocketAlive() {
    return false;
  }
}
const agent = new OneRequestAgent({ keepAlive: true });

/** Sends a request to the server, and its response as frames. @throws {Error} when there is no valid one. */
async function exchange(server, { method, path, headers, body }, send) {
  const sent = request({ socketPath: server.socketPath, agent, method, path, headers });
  const { promise, resolve, reject } = Promise.withResolvers();
  sent.once('response', resolve).on('error', reject);
  sent.once('upgrade', (_, socket) => {
    socket.destroy();
    reject(new Error('the server switched to another protocol'));
  });
  sent.end(body === undefined ? undefined : Buffer.from(body, 'base64'));
  const response = await promise;
  if (response.statusCode < 200) {
    sent.destroy();
    throw new Error(`the status ${response.statusCode}`);
  }
  await send('head', { status: response.statusCode, headers: response.rawHeaders });
  for await (const chunk of response) await send('body', chunk);
}

function memoryBytes(pid) {
  try {
    return process.memoryUsage.rss() + Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return process.memoryUsage.rss();
  }
}

async function serve(event, send) {
  let server;
  try {
    server = await runningServer();
  } catch ({ exit }) {
    current = undefined;
    return send('failed', { failure: 'start-failed', exit });
  }
  await send('started', { requests: (requests += event.method ? 1 : 0) });
  if (!event.method) return send('ended', { memoryBytes: memoryBytes(server.pid) });
  try {
    await exchange(server, event, send);
  } catch (error) {
    const notice = new Promise((resolve) => setTimeout(resolve, EXIT_NOTICE_MS));
    await Promise.race([server.exited, notice]);
    await send('failed', { failure: 'runtime-crashed', reason: error.message });
  }
  await send('ended', { memoryBytes: memoryBytes(server.pid) });
}

function frame(type, value) {
  const payload = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(5);
  head.writeUInt8(FRAMES[type]);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

// The server starts while Lambda prepares the function, before the first request.
void runningServer();

export const handler = awslambda.streamifyResponse(async (event, output) => {
  output.on('error', () => undefined);
  const send = async (type, value) => {
    if (!output.write(frame(type, value))) await once(output, 'drain');
  };
  sink = send;
  void send('instance', instance);
  for (const [type, value] of waiting.splice(0)) void send(type, value);
  try {
    await serve(event, send);
  } finally {
    sink = undefined;
    output.end();
  }
});
