import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { NULL_SIZE_TAR_GZ, zipWithLongDirectory } from './hostile-archives.mjs';

const DRIP_MS = 8_000;
const SLOW_DRIP_MS = 20_000;
const RETRY_MS = 500;

/**
 * Starts hostile archives, large reads, slow transfers and expensive rules; each runs until the process ends. There is no
 * shared `AbortSignal`: thousands of listeners on one signal slow the attacks down.
 * @param target `{ apiPort, edgePort, tokens, appIds, deployId, rulesHost }`
 * @param count called with the attack's name and the response status, or "closed" without a response.
 */
export function startAttacks(target, count) {
  const call = caller(target.apiPort, count);
  // The one has the most bytes to receive, the other the most entries with the longest names that are read to the end.
  const zips = [zipWithLongDirectory(79_000, 1_200), zipWithLongDirectory(79_000, 260)];
  return Promise.all([
    ...each(3, (i) =>
      repeat(() => deploy(call, target, i, ['null-size archive', NULL_SIZE_TAR_GZ, 'application/gzip'])),
    ),
    ...each(40, () =>
      repeat(() => call('deploy details', `/api/deploys/${target.deployId}`, { token: target.tokens[0] })),
    ),
    ...each(100, () => repeat(() => readSlowly(target, count))),
    ...each(3, (i) =>
      repeat(() => deploy(call, target, 1, ['long zip directory', zips[i % zips.length], 'application/zip'])),
    ),
    ...each(8, (i) => repeat(() => dripDeploy(target, i, count))),
    ...each(10, () => repeat(() => visitRules(target, count), 100)),
    ...each(6, (i) => repeat(() => dripUpload(target, i, count))),
    // A rejected connection is retried when its next byte would
    // have been due; faster retries would be a connection flood.
    ...each(3_000, () => repeat(() => dripJson(target, count), DRIP_MS)),
  ]);
}

const each = (amount, start) => Array.from({ length: amount }, (_, i) => start(i));

async function repeat(attack, restMs = RETRY_MS) {
  for (;;) {
    await attack().catch(() => undefined);
    await pause(restMs);
  }
}

/** Attackers use other addresses than the measured client. */
const addressOf = (i) => `127.0.1.${(i % 200) + 1}`;

function caller(port, count) {
  return (attack, path, { token, method = 'GET', body, type, from = 0 }) =>
    new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-length': body.length, 'content-type': type }),
      };
      const localAddress = addressOf(from);
      const exchange = request({ host: '127.0.0.1', port, path, method, headers, localAddress, agent: false });
      const end = (result) => {
        count(attack, result);
        resolve();
      };
      exchange.on('response', (answer) => answer.resume().on('close', () => end(answer.statusCode)));
      exchange.on('error', () => end('closed'));
      exchange.end(body);
    });
}

function deploy(call, { tokens, appIds }, i, [attack, body, type]) {
  const organization = i % appIds.length;
  const path = `/api/apps/${appIds[organization]}/deploys?activate=false`;
  return call(attack, path, { token: tokens[organization], method: 'POST', body, type, from: i });
}

/** Requests a large response and reads about one kilobyte per second. */
function readSlowly({ apiPort, tokens, deployId }, count) {
  const head = `GET /api/deploys/${deployId} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokens[0]}\r\n\r\n`;
  return holdConnection({ port: apiPort, from: 1 }, (socket) => {
    socket.write(head);
    socket.pause();
    return setInterval(() => socket.read(1_024), 1_000);
  }).then((result) => count('slow reader', result));
}

/** Uploads a deploy at one byte per 20 seconds. */
function dripDeploy({ apiPort, tokens, appIds }, i, count) {
  const organization = i % appIds.length;
  const head =
    `POST /api/apps/${appIds[organization]}/deploys HTTP/1.1\r\nHost: localhost\r\n` +
    `Authorization: Bearer ${tokens[organization]}\r\nContent-Type: application/gzip\r\nContent-Length: 1000000\r\n\r\n`;
  return drip({ port: apiPort, from: i }, [head], SLOW_DRIP_MS).then((result) => count('slow deploy upload', result));
}

/** Starts a chunked upload with 5 MiB, then sends one byte per 8 seconds. */
function dripUpload({ apiPort, tokens }, i, count) {
  const head =
    `PUT /api/files/drip-${i} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokens[i % 2]}\r\n` +
    `Transfer-Encoding: chunked\r\n\r\n`;
  const bulk = Buffer.alloc(5 * 1024 * 1024, 'x');
  const parts = [head, `${bulk.length.toString(16)}\r\n`, bulk, '\r\n'];
  return drip({ port: apiPort, from: i }, parts, DRIP_MS, '1\r\nx\r\n').then((result) =>
    count('slow file upload', result),
  );
}

/** Sends a JSON body without a token, one byte per 8 seconds. */
function dripJson({ apiPort }, count) {
  const head =
    'POST /v1/pricing/estimate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
    'Content-Length: 1000\r\n\r\n{';
  return drip({ port: apiPort, from: 2 }, [head], DRIP_MS, ' ').then((result) => count('incomplete JSON', result));
}

function drip(connection, parts, everyMs, dose = 'x') {
  return holdConnection(connection, (socket) => {
    for (const part of parts) socket.write(part);
    return setInterval(() => socket.write(dose), everyMs);
  });
}

/**
 * Holds a connection until the server closes it.
 * @param begin sends the first bytes and returns the timer for the following ones.
 * @returns the response status, or "closed".
 */
function holdConnection({ port, from }, begin) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: addressOf(from) });
    let timer;
    let answer = '';
    socket.once('connect', () => {
      timer = begin(socket);
    });
    socket.on('data', (chunk) => (answer = (answer + chunk.toString('latin1')).slice(0, 64)));
    socket.on('error', () => undefined);
    socket.once('end', () => socket.destroy());
    socket.once('close', () => {
      clearInterval(timer);
      resolve(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed');
    });
  });
}

let visited = 0;

function visitRules({ edgePort, rulesHost }, count) {
  return new Promise((resolve) => {
    const path = `/a/b/c/one/two/end-${(visited += 1)}x`;
    const options = {
      host: '127.0.0.1',
      port: edgePort,
      path,
      headers: { host: rulesHost },
      localAddress: addressOf(3),
    };
    request({ ...options, agent: false }, (answer) => answer.resume().on('close', () => resolve(answer.statusCode)))
      .on('error', () => resolve('closed'))
      .end();
  }).then((result) => count('redirect rules', result));
}
