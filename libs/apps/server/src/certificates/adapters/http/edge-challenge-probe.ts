import { createHash } from 'node:crypto';
import { connect } from 'node:tls';
import { request } from 'undici';
import type { DomainResolver } from '../../../domains/application/domain-resolver.port';
import type { ChallengeAnswer } from '../../application/challenge-answers.port';
import { ChallengeProbe } from '../../application/challenge-probe.port';

export interface EdgeChallengeProbeOptions {
  /** Finds the addresses of the edges. Only they are asked: the records of the name were checked before. */
  readonly resolver: Pick<DomainResolver, 'addressesOf'>;
  readonly cdnHostname: string;
  readonly httpPort: number;
  readonly tlsPort: number;
}

const LIMIT_MS = 5_000;
const MAX_BODY_BYTES = 4_096;

/** Asks an edge over HTTP and TLS. */
export class EdgeChallengeProbe extends ChallengeProbe {
  constructor(private readonly options: EdgeChallengeProbeOptions) {
    super();
  }

  async reaches(answer: ChallengeAnswer, signal: AbortSignal): Promise<boolean> {
    const { values } = await this.options.resolver.addressesOf(this.options.cdnHostname);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    const ask = answer.type === 'http-01' ? this.#askHttp : this.#askTls;
    for (const address of values) if (await ask(address, answer, limited)) return true;
    return false;
  }

  #askHttp = async (
    address: string,
    { name, token, value }: ChallengeAnswer,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const host = address.includes(':') ? `[${address}]` : address;
    try {
      const { statusCode, body } = await request(
        `http://${host}:${this.options.httpPort}/.well-known/acme-challenge/${token}`,
        { headers: { host: name }, signal },
      );
      const bytes = Buffer.from(await body.arrayBuffer());
      return statusCode === 200 && bytes.length < MAX_BODY_BYTES && bytes.toString('utf8').trim() === value;
    } catch {
      // Not reachable, or not HTTP: requests do not reach our edges.
      return false;
    }
  };

  #askTls = (host: string, { name, value }: ChallengeAnswer, signal: AbortSignal): Promise<boolean> => {
    const digest = createHash('sha256').update(value).digest();
    return new Promise((resolve) => {
      const socket = connect({
        host,
        port: this.options.tlsPort,
        servername: name,
        ALPNProtocols: ['acme-tls/1'],
        // The certificate of the challenge is self-signed; it only contains the answer.
        rejectUnauthorized: false,
      });
      const end = (isReached: boolean) => {
        socket.destroy();
        resolve(isReached);
      };
      socket.once('secureConnect', () => {
        const { raw } = socket.getPeerCertificate();
        end(socket.alpnProtocol === 'acme-tls/1' && raw !== undefined && raw.includes(digest));
      });
      socket.once('error', () => end(false));
      signal.addEventListener('abort', () => end(false), { once: true });
      if (signal.aborted) end(false);
    });
  };
}
