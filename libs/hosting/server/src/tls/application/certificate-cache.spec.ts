import { describe, expect, it } from '@jest/globals';
import { CertificateCache } from './certificate-cache';
import { CertificateChangeFeed, CertificateDirectory } from './certificate-directory.port';

const KEPT = 2_000;

class OneCertificateEach extends CertificateDirectory {
  async findCertificate(hostname: string) {
    return { version: hostname, chain: hostname, key: '', hsts: false };
  }

  async findKeyAuthorization(): Promise<undefined> {
    return undefined;
  }
}

class NoChanges extends CertificateChangeFeed {
  readonly isConnected = true;

  listen(): void {
    // Nothing changes here.
  }
}

describe('CertificateCache', () => {
  it('frees each context that it drops, and no other', async () => {
    const freed: string[] = [];
    const cache = new CertificateCache<{ readonly name: string }>({
      directory: new OneCertificateEach(),
      changes: new NoChanges(),
      createContext: ({ chain }) => ({ name: chain }),
      freeContext: ({ name }) => void freed.push(name),
      onUnusable: () => undefined,
    });
    for (let i = 0; i < KEPT + 3; i += 1) await cache.findContext(`host-${i}.test`);
    expect(freed).toEqual(['host-0.test', 'host-1.test', 'host-2.test']);
    expect(await cache.findContext('host-0.test')).toEqual({ name: 'host-0.test' });
    expect(freed.at(-1)).toBe('host-3.test');
  });
});
