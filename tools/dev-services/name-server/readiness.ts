import { connect } from 'node:net';
import dnsPacket from 'dns-packet';
import { SetupFailed } from '../errors.ts';
import type { Daemon } from '../system-programs.ts';
import { waitUntilReady } from '../wait-until-ready.ts';

const TRIES = 500;
const PAUSE_MILLISECONDS = 20;

/** Resolves when the server answers for the zone. @throws {SetupFailed} when it exits, or does not answer in time. */
export function waitUntilServing(server: { port: number; domain: string; daemon: Daemon }): Promise<void> {
  return waitUntilReady(() => servesZone(server.port, server.domain), {
    tries: TRIES,
    pauseMilliseconds: PAUSE_MILLISECONDS,
    died: server.daemon.died,
    late: () => new SetupFailed(`The name server does not answer for ${server.domain}.`),
  });
}

function servesZone(port: number, domain: string): Promise<boolean> {
  const query = dnsPacket.streamEncode({ type: 'query', id: 1, questions: [{ name: domain, type: 'SOA' }] });
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(query));
    let received = Buffer.alloc(0);
    // Connection refused or closed without a response: not ready yet.
    socket.once('error', () => resolve(false)).once('close', () => resolve(false));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      resolve(dnsPacket.decode(received.subarray(2)).answers.length > 0);
      socket.destroy();
    });
  });
}
