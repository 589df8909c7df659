import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import dnsPacket from 'dns-packet';
import { SetupFailed } from '../errors.ts';
import type { Daemon } from '../system-programs.ts';

const TRIES = 500;
const PAUSE_MILLISECONDS = 20;

/** Resolves when the server answers for the zone. @throws {SetupFailed} when it exits, or does not answer in time. */
export async function waitUntilServing(server: { port: number; domain: string; daemon: Daemon }): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await Promise.race([servesZone(server.port, server.domain), server.daemon.died]);
    if (answer instanceof Error) throw answer;
    if (answer) return;
    await pause(PAUSE_MILLISECONDS);
  }
  throw new SetupFailed(`The name server does not answer for ${server.domain}.`);
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
