import { describe, expect, it } from '@jest/globals';
import type { CertificateIssuer, IssuanceStep } from '../certificates/application/certificate-issuer.port';
import type { CertificateOrder, OrderProgress } from '../certificates/domain/certificate-order';
import { IssuanceFailed, type IssuanceProblem } from '../certificates/domain/issuance-failed';

export interface CertificateIssuerHarness {
  readonly issuer: CertificateIssuer;
  /** The issuer of another instance of the same installation. */
  readonly otherInstance: CertificateIssuer;
  /** An issuer of the same kind whose authority does not answer. */
  readonly unreachable: CertificateIssuer;
  /** A new order whose name leads to this installation. */
  readonly newOrder: (changes?: { readonly isWildcard?: boolean }) => Promise<CertificateOrder>;
  /** Does what the authority does by itself between two calls. */
  readonly passTime: () => void;
}

const { signal } = new AbortController();
/** A job calls again and again, each time later. */
const MAX_CALLS = 20;

/** The contract of every `CertificateIssuer` adapter. @param open a new installation for each case. */
export function certificateIssuerContract(adapter: string, open: () => Promise<CertificateIssuerHarness>): void {
  /** Calls an issuer until an order has ended, as the job does. */
  async function finish(
    { passTime }: CertificateIssuerHarness,
    issuer: CertificateIssuer,
    order: CertificateOrder,
  ): Promise<{ readonly step: IssuanceStep; readonly saved: readonly OrderProgress[] }> {
    const saved: OrderProgress[] = [];
    const save = async (progress: OrderProgress) => void saved.push(progress);
    for (let call = 0; call < MAX_CALLS; call += 1) {
      const step = await issuer.advance({ ...order, progress: saved.at(-1) ?? order.progress }, { save, signal });
      if (step.outcome !== 'waiting') return { step, saved };
      expect(step.retryAfterMs).toBeGreaterThan(0);
      passTime();
    }
    throw new Error('the order did not end');
  }

  async function problemOf(call: Promise<unknown>): Promise<IssuanceProblem> {
    const error: unknown = await call.then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(IssuanceFailed);
    return (error as IssuanceFailed).problem;
  }

  describe(`${adapter} as a certificate issuer`, () => {
    it('issues a certificate with the saved key, or keeps it and saves nothing', async () => {
      const harness = await open();
      const { step, saved } = await finish(harness, harness.issuer, await harness.newOrder());
      if (harness.issuer.isManaged) {
        expect({ step, saved }).toEqual({ step: { outcome: 'managed' }, saved: [] });
        return;
      }
      expect(saved).toHaveLength(1);
      const [{ directory = '', privateKey = '' } = {}] = saved;
      expect(privateKey).toContain('PRIVATE KEY');
      expect(step).toMatchObject({ outcome: 'issued', certificate: { directory, privateKey } });
      const { chain, notBefore, notAfter, serial } = certificateOf(step);
      expect(notBefore.getTime()).toBeLessThan(notAfter.getTime());
      expect([chain, serial]).not.toContain('');
    });

    it('returns the same certificate when a call is repeated, also by another instance', async () => {
      const harness = await open();
      const order = await harness.newOrder();
      const first = await finish(harness, harness.issuer, order);
      const placed = { ...order, progress: first.saved[0] };
      for (const issuer of [harness.issuer, harness.otherInstance]) {
        const again = await finish(harness, issuer, placed);
        expect(again.saved).toEqual([]);
        expect(identityOf(again.step)).toEqual(identityOf(first.step));
      }
    });

    it('continues an order whose instance was killed after it was placed', async () => {
      const harness = await open();
      const order = await harness.newOrder();
      const killed = new Error('killed');
      const placed: OrderProgress[] = [];
      const save = async (progress: OrderProgress) => {
        placed.push(progress);
        throw killed;
      };
      const call = harness.issuer.advance(order, { save, signal });
      if (harness.issuer.isManaged) await call;
      else await expect(call).rejects.toBe(killed);
      const { step, saved } = await finish(harness, harness.otherInstance, { ...order, progress: placed[0] });
      expect(saved).toEqual([]);
      if (step.outcome === 'issued') expect(step.certificate.privateKey).toBe(placed[0]?.privateKey);
    });

    it('gives each order a certificate, also when they are placed at once', async () => {
      const harness = await open();
      const orders = [await harness.newOrder(), await harness.newOrder()];
      const ended = await Promise.all(orders.map((order) => finish(harness, harness.issuer, order)));
      const issued = ended.flatMap(({ step }) => (step.outcome === 'issued' ? step.certificate : []));
      expect(issued).toHaveLength(harness.issuer.isManaged ? 0 : orders.length);
      expect(new Set(issued.flatMap(({ privateKey, serial }) => [privateKey, serial])).size).toBe(2 * issued.length);
    });

    it('issues certificates for wildcards, or rejects them', async () => {
      const harness = await open();
      const ended = finish(harness, harness.issuer, await harness.newOrder({ isWildcard: true }));
      // Base domains are offered where the issuer does not keep the certificates.
      if (harness.issuer.isManaged) expect(await problemOf(ended)).toBe('rejected');
      else expect((await ended).step.outcome).toBe('issued');
    });

    it('reports an order that the authority does not know as lost, or does without it', async () => {
      const harness = await open();
      const order = await harness.newOrder();
      const { saved } = await finish(harness, harness.issuer, order);
      const known = saved[0] ?? { directory: '', url: '', privateKey: '' };
      const call = finish(harness, harness.issuer, { ...order, progress: { ...known, url: `${known.url}0` } });
      if (harness.issuer.isManaged) expect((await call).step.outcome).toBe('managed');
      else expect(await problemOf(call)).toBe('lost');
    });

    it('reports an authority that does not answer as unavailable, saves nothing, and places the order later', async () => {
      const harness = await open();
      const order = await harness.newOrder();
      const saved: OrderProgress[] = [];
      const save = async (progress: OrderProgress) => void saved.push(progress);
      expect(await problemOf(harness.unreachable.advance(order, { save, signal }))).toBe('unavailable');
      expect(saved).toEqual([]);
      await finish(harness, harness.issuer, order);
    });

    it('reports an aborted call as unavailable, saves nothing, and places the order later', async () => {
      const harness = await open();
      const order = await harness.newOrder();
      const saved: OrderProgress[] = [];
      const save = async (progress: OrderProgress) => void saved.push(progress);
      const call = harness.issuer.advance(order, { save, signal: AbortSignal.abort(new Error('stopped')) });
      expect(await problemOf(call)).toBe('unavailable');
      expect(saved).toEqual([]);
      await finish(harness, harness.issuer, order);
    });

    it('names its authority for CAA records: that of an order is one of all', async () => {
      const { issuer, newOrder } = await open();
      const all = await issuer.caaIdentities(signal);
      const ofOrder = await issuer.caaIdentities(signal, await newOrder());
      expect(all).toEqual(expect.arrayContaining([...ofOrder]));
      for (const identity of all) expect(identity).toMatch(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
    });

    it('advises a time of renewal, or nothing', async () => {
      const harness = await open();
      const { step } = await finish(harness, harness.issuer, await harness.newOrder());
      if (step.outcome !== 'issued') return;
      const advice = await harness.issuer.renewalAdvice(step.certificate, signal);
      if (!advice) return;
      expect(advice.window.start.getTime()).toBeLessThanOrEqual(advice.window.end.getTime());
      expect(advice.retryAfterMs).toBeGreaterThan(0);
    });

    it('removes nothing that a claim uses, and can be repeated', async () => {
      const harness = await open();
      const [used, ended] = [await harness.newOrder(), await harness.newOrder()];
      const [first] = [await finish(harness, harness.issuer, used), await finish(harness, harness.issuer, ended)];
      const asked = new Set<string>();
      const keptClaims = async (claimIds: readonly string[]) => {
        for (const id of claimIds) asked.add(id);
        return new Set(claimIds.filter((id) => id === used.claimId));
      };
      for (let run = 0; run < 3; run += 1) {
        await harness.issuer.removeUnused(keptClaims, signal);
        harness.passTime();
      }
      expect([used.claimId, ended.claimId]).toEqual(expect.arrayContaining([...asked]));
      const again = await finish(harness, harness.issuer, { ...used, progress: first.saved[0] });
      expect(identityOf(again.step)).toEqual(identityOf(first.step));
    });
  });
}

function certificateOf(step: IssuanceStep) {
  if (step.outcome !== 'issued') throw new Error(step.outcome);
  return step.certificate;
}

/** What stays the same when a call is repeated. */
function identityOf(step: IssuanceStep) {
  if (step.outcome !== 'issued') return { outcome: step.outcome };
  const { serial, privateKey, directory } = step.certificate;
  return { outcome: step.outcome, serial, privateKey, directory };
}
