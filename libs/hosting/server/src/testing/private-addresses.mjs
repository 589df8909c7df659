// Runs in a network namespace of the test, in which private addresses belong to the loopback interface: asks the egress
// proxy for them, with and without its deny list, and prints what answered. Argument: the folder of the compiled proxy.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const [folder, ...addresses] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(folder, file)).href);
const { EgressProxy } = await load('egress-proxy.js');
const { AddressPolicy } = await load('../../../../../platform/server/src/network/address-policy.js');

const heard = [];
const servers = addresses.map((host) =>
  createServer((request, response) => response.end(heard.push(request.socket.localAddress) && 'metadata')).listen(
    80,
    host,
  ),
);
const sockets = await mkdtemp(join(tmpdir(), 'homeport-private-'));

async function ask(policy) {
  const path = join(sockets, 'egress');
  const proxy = await EgressProxy.listen(path, { policy, onRefused: () => undefined });
  const answers = [];
  for (const host of addresses) {
    const socket = connect({ path, allowHalfOpen: true });
    socket.write(`GET http://${host}/latest/meta-data/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    answers.push((await text(socket)).split('\r\n')[0]);
    socket.destroy();
  }
  await proxy.close();
  return { answers, heard: heard.splice(0) };
}

const ownAddresses = () => [];
const open = await ask(new AddressPolicy({ allowed: ['0.0.0.0/0'] }));
const closed = await ask(new AddressPolicy({ ownAddresses }));
for (const server of servers) server.close();
await rm(sockets, { recursive: true });
process.stdout.write(JSON.stringify({ open, closed }));
