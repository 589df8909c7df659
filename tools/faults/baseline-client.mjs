import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { tarGz } from './hostile-archives.mjs';

const CALL_EVERY_MS = 100;
const DEPLOY_EVERY_MS = 30_000;

/**
 * Measures a customer of another organization than the attackers: reads, writes, lists, visits its site, and deploys
 * every 30 seconds.
 * @param customer `{ apiPort, edgePort, token, appId, siteHost }`
 * @returns durations in milliseconds per kind of call, and the failures.
 */
export async function measureBaseline(customer, minutes) {
  const agent = new Agent({ keepAlive: true });
  const site = await tarGz([['index.html', 'a calm site']]);
  const calls = callsOf(customer);
  const record = { times: {}, failures: [] };
  const end = performance.now() + minutes * 60_000;
  let nextDeploy = performance.now();
  for (let i = 0; performance.now() < end; i += 1) {
    await timed(record, agent, calls[i % calls.length]);
    if (performance.now() >= nextDeploy) {
      nextDeploy += DEPLOY_EVERY_MS;
      await timed(record, agent, deployOf(customer, site));
    }
    await pause(CALL_EVERY_MS);
  }
  agent.destroy();
  return record;
}

function callsOf({ apiPort, edgePort, token, appId, siteHost }) {
  const headers = { authorization: `Bearer ${token}` };
  const file = Buffer.alloc(4_096, 'f');
  const api = { host: '127.0.0.1', port: apiPort, headers };
  return [
    { kind: 'list apps', options: { ...api, path: '/api/apps' } },
    { kind: 'read app', options: { ...api, path: `/api/apps/${appId}` } },
    { kind: 'write file', options: { ...api, path: '/api/files/notes/calm.md', method: 'PUT' }, body: file },
    { kind: 'read file', options: { ...api, path: '/api/files/notes/calm.md' } },
    { kind: 'list files', options: { ...api, path: '/api/files?prefix=notes/' } },
    { kind: 'visit site', options: { host: '127.0.0.1', port: edgePort, path: '/', headers: { host: siteHost } } },
  ];
}

function deployOf({ apiPort, token, appId }, site) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/gzip' };
  const options = { host: '127.0.0.1', port: apiPort, headers, method: 'POST', path: `/api/apps/${appId}/deploys` };
  return { kind: 'deploy', options, body: site };
}

async function timed(record, agent, { kind, options, body }) {
  const began = performance.now();
  const failure = await failureOf({ ...options, agent }, body).catch((error) => error.code ?? error.message);
  (record.times[kind] ??= []).push(performance.now() - began);
  if (failure) record.failures.push(`${kind}: ${failure}`);
}

/** @returns status and problem code of a failed call; undefined after a success. */
function failureOf(options, body) {
  return new Promise((resolve, reject) => {
    const headers = { ...options.headers, ...(body && { 'content-length': body.length }) };
    request({ ...options, headers }, (response) => {
      const { statusCode } = response;
      const isSuccess = statusCode >= 200 && statusCode < 300;
      const end = (content) =>
        resolve(isSuccess ? undefined : `${statusCode} ${/"code":"([^"]+)"/.exec(content)?.[1]}`);
      text(response).then(end, reject);
    })
      .on('error', reject)
      .end(body);
  });
}
