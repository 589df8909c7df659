import { beforeEach, describe, expect, it } from '@jest/globals';
import { DeploysUnavailable } from '../domain/deploys.errors';
import { UploadCapacity } from './upload-capacity';

const LIMITS = { receiving: 3, uploadsPerOrganization: 2, bytes: 1_000, bytesPerOrganization: 400 };
let capacity: UploadCapacity;

beforeEach(() => {
  capacity = new UploadCapacity(LIMITS);
});

describe('UploadCapacity', () => {
  it('is not used by uploads that have sent nothing', () => {
    for (const organization of ['a', 'b', 'c', 'd', 'e']) capacity.admit(organization, 0);
    const share = capacity.admit('f', 100);
    expect(() => share.addReceived(100)).not.toThrow();
  });

  it('limits the uploads of one organization', () => {
    const [first] = [capacity.admit('a', 0), capacity.admit('a', 0)];
    expect(() => capacity.admit('a', 0)).toThrow(DeploysUnavailable);
    first!.release();
    first!.release();
    capacity.admit('a', 0);
    expect(() => capacity.admit('a', 0)).toThrow(DeploysUnavailable);
  });

  it('limits the uploads that are received at once, and rejects others before their bytes are read', () => {
    const late = capacity.admit('d', 0);
    const shares = ['a', 'b', 'c'].map((organization) => capacity.admit(organization, 0));
    for (const share of shares) share.addReceived(1);
    expect(() => late.addReceived(1)).toThrow(DeploysUnavailable);
    expect(() => capacity.admit('e', 0)).toThrow(DeploysUnavailable);
    shares[0]!.received();
    shares[0]!.received();
    late.addReceived(1);
    expect(() => capacity.admit('e', 0)).toThrow(DeploysUnavailable);
  });

  it('limits the bytes of one organization and in total', () => {
    const share = capacity.admit('a', 400);
    share.addReceived(400);
    expect(() => share.addReceived(1)).toThrow(DeploysUnavailable);
    expect(() => capacity.admit('a', 1)).toThrow(DeploysUnavailable);
    capacity.admit('b', 0).addReceived(400);
    expect(() => capacity.admit('c', 201)).toThrow(DeploysUnavailable);
    share.received();
    expect(() => capacity.admit('c', 201)).toThrow(DeploysUnavailable);
    share.release();
    capacity.admit('c', 400).addReceived(400);
  });

  it('reserves the announced bytes in the share of the organization from the first byte on', () => {
    const share = capacity.admit('a', 300);
    const simultaneous = capacity.admit('a', 200);
    share.addReceived(1);
    expect(() => simultaneous.addReceived(1)).toThrow(DeploysUnavailable);
    simultaneous.release();
    expect(() => capacity.admit('a', 101)).toThrow(DeploysUnavailable);
    const next = capacity.admit('a', 100);
    next.addReceived(100);
    expect(() => share.addReceived(299)).not.toThrow();
    expect(() => share.addReceived(1)).toThrow(DeploysUnavailable);
    share.release();
    expect(() => capacity.admit('a', 300)).not.toThrow();
  });

  it('releases announced bytes that did not arrive', () => {
    const share = capacity.admit('a', 400);
    share.addReceived(100);
    share.received();
    expect(() => capacity.admit('a', 301)).toThrow(DeploysUnavailable);
    capacity.admit('a', 300).addReceived(300);
    share.release();
    expect(() => capacity.admit('a', 101)).toThrow(DeploysUnavailable);
    expect(() => capacity.admit('a', 100)).not.toThrow();
  });

  it('reserves nothing of the shares of other organizations for announced bytes', () => {
    capacity = new UploadCapacity({ ...LIMITS, receiving: 10 });
    for (const organization of ['a', 'b', 'c']) capacity.admit(organization, 400).addReceived(1);
    expect(() => capacity.admit('d', 400).addReceived(400)).not.toThrow();
  });
});
