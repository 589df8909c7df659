import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KeysUnavailable } from '../../../domain/identity.errors';
import { TestIssuer } from '../../../testing/test-issuer';
import { IssuerRules } from '../../domain/issuers';
import { JwksPipelineTokenVerifier } from './jwks-pipeline-token-verifier';
import { publicAddressFetch, type Resolve } from './public-address-fetch';

const PUBLIC_URL = 'https://homeport.example';

let internal: Server;
let connections: number;
let issuer: string;
let lookups: string[];

beforeEach(async () => {
  connections = 0;
  lookups = [];
  internal = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => internal.listen(0, '127.0.0.1', resolve));
  issuer = `https://ci.example.com:${(internal.address() as AddressInfo).port}`;
});

afterEach(() => new Promise((resolve) => internal.close(resolve)));

/** Answers each lookup with the next list of addresses, and then with the last one. */
function resolver(...answers: readonly (readonly string[])[]): Resolve {
  return (hostname, _options, done) => {
    const addresses = answers[Math.min(lookups.push(hostname), answers.length) - 1] ?? [];
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

/** Verifies a token of the issuer, and returns the cause of the failure. */
async function failureOf(resolve: Resolve, networks: readonly string[] = []): Promise<unknown> {
  const fetch = publicAddressFetch({ networks, resolve });
  const verifier = new JwksPipelineTokenVerifier({
    publicUrl: PUBLIC_URL,
    issuers: new IssuerRules(PUBLIC_URL),
    fetch,
  });
  const signer = await TestIssuer.start();
  const token = await signer.sign(signer.claims({ iss: issuer, aud: PUBLIC_URL }));
  await signer.stop();
  const error: unknown = await verifier.claimsOf(token, issuer).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(KeysUnavailable);
  return ((error as Error).cause as Error).cause;
}

describe('publicAddressFetch', () => {
  it.each([
    ['loopback', ['127.0.0.1']],
    ['loopback of IPv6', ['::1']],
    ['IPv4 in IPv6 notation', ['::ffff:127.0.0.1']],
    ['a private network', ['10.0.0.5', '192.168.1.4']],
    ['the metadata service of a cloud', ['169.254.169.254']],
    ['an IPv6 address outside of the assigned range', ['4000::1']],
  ])('does not connect to an issuer at %s', async (_case, addresses) => {
    expect(await failureOf(resolver(addresses))).toMatchObject({ code: 'ADDRESS_NOT_PUBLIC' });
    expect([lookups, connections]).toEqual([['ci.example.com'], 0]);
  });

  it('connects to the address that it checked, also when the name resolves to another one afterwards', async () => {
    await failureOf(resolver(['10.0.0.5', '127.0.0.1'], ['169.254.169.254']), ['127.0.0.0/8']);
    expect([lookups, connections]).toEqual([['ci.example.com'], 1]);
  });
});
