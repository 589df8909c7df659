import { connect } from 'node:net';
import dnsPacket from 'dns-packet';
import type { CnameRecord } from '../dns/application/dns-zone.port';

/**
 * Queries the name server directly for the CNAME of exactly this name, over TCP on loopback.
 * @throws {Error} when the response is neither the record nor its absence.
 */
export async function lookUpCname(port: number, hostname: string): Promise<CnameRecord | undefined> {
  const question = { name: hostname, type: 'CNAME' };
  const { rcode, answers } = await ask(port, dnsPacket.streamEncode({ type: 'query', id: 1, questions: [question] }));
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') throw new Error(`${hostname}: ${rcode}`);
  const record = answers.find((each) => each.type === 'CNAME');
  return record?.type === 'CNAME' ? { target: record.data, ttl: record.ttl } : undefined;
}

/** Queries the name server directly for the TXT values of exactly this name. @throws {Error} for a failure. */
export async function lookUpTexts(port: number, name: string): Promise<readonly string[]> {
  const question = { name, type: 'TXT' };
  const { rcode, answers } = await ask(port, dnsPacket.streamEncode({ type: 'query', id: 1, questions: [question] }));
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') throw new Error(`${name}: ${rcode}`);
  return answers.flatMap((each) => (each.type === 'TXT' ? [[each.data].flat().map(String).join('')] : []));
}

function ask(port: number, query: Buffer): Promise<ReturnType<typeof dnsPacket.decode>> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(query));
    let received = Buffer.alloc(0);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed without a response')));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      resolve(dnsPacket.decode(received.subarray(2)));
      socket.destroy();
    });
  });
}
