// Runs in a network namespace of the test, in which private addresses belong to the loopback interface: asks the egress
// proxy for them, with and without its deny list, and prints what answered. Arguments: the folder of the compiled proxy,
// a public address, the address of a metadata service, other addresses.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const [folder, open, metadata, ...others] = process.argv.slice(2);
const addresses = [metadata, ...others];
const load = (file) => import(pathToFileURL(join(folder, file)).href);
const { EgressProxy } = await load('egress-proxy.js');
const { AddressPolicy } = await load('../../../../../platform/server/src/network/address-policy.js');
const EVERYTHING = { allowed: ['0.0.0.0/0', '::/0'] };
/** The addresses of this namespace are those of the test: the proxy must not refuse them because they are own ones. */
const PUBLIC_ONLY = { ownAddresses: () => [] };

const heard = [];
/** An IPv4 address in IPv6 notation leads to the listener of the IPv4 address. */
const isMapped = (address) => address.startsWith('::ffff:');
const servers = [open, ...addresses]
  .filter((host) => !isMapped(host))
  .map((host) => createServer(answer).listen(80, host));
const sockets = await mkdtemp(join(tmpdir(), 'homeport-private-'));

function answer({ socket: { localAddress } }, response) {
  heard.push(localAddress);
  response.setHeader('Connection', 'close').end(localAddress);
}

/** The status lines of requests to hosts, and the addresses that heard one. */
async function ask(hosts, policy, resolve) {
  const path = join(sockets, 'egress');
  const proxy = await EgressProxy.listen(path, {
    policy: new AddressPolicy(policy),
    resolve,
    onRefused: () => undefined,
  });
  const answers = [];
  for (const host of hosts)
    answers.push((await send({ path }, `http://${host}/latest/meta-data/`, host)).split('\r\n')[0]);
  await proxy.close();
  return { answers, heard: heard.splice(0) };
}

async function send(destination, target, host) {
  const socket = connect({ ...destination, allowHalfOpen: true });
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const answered = await text(socket);
  socket.destroy();
  return answered;
}

/** A proxy that checks the first address of a name, and connects to the name. */
async function askCheckingTheNameOnly(host, resolve) {
  const refusal = new AddressPolicy(PUBLIC_ONLY).refusalOf((await resolve(host))[0]);
  if (refusal === undefined) await send({ host: (await resolve(host))[0], port: 80 }, '/', host);
  return { heard: heard.splice(0) };
}

/** A name that has a public address when it is first asked for, and the metadata service afterwards. */
function rebinding() {
  const answers = [[open]];
  return async () => answers.shift() ?? [metadata];
}

const inUrls = addresses.map((address) => (address.includes(':') ? `[${address}]` : address));
const result = {
  open: await ask(inUrls, EVERYTHING),
  closed: await ask(inUrls, PUBLIC_ONLY),
  rebinding: {
    checkingTheName: await askCheckingTheNameOnly('rebind.example', rebinding()),
    proxy: await ask(['rebind.example', 'rebind.example'], PUBLIC_ONLY, rebinding()),
  },
};
for (const server of servers) server.close();
await rm(sockets, { recursive: true });
process.stdout.write(JSON.stringify(result));
