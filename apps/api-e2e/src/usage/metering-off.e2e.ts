import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingPeriod } from '@homeport/usage/contracts';
import { ApiFixture } from '../apps/api-fixture';
import type { MemberClient } from '../apps/member-client';
import { callAt } from '../homeport';
import type { ApiProcess } from '../product-processes';

describe('an API with METERING=off', () => {
  let fixture: ApiFixture;
  let api: ApiProcess;
  let member: MemberClient;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    api = await fixture.api({ METERING: 'off' });
    member = await fixture.member(`northwind-${randomUUID()}`);
  });
  afterAll(() => fixture?.close());

  const read = async (path: string) => {
    const response = await callAt(api.url, path, { token: member.token });
    return { status: response.status, body: await response.json() };
  };

  it('says with the usage that metering is off', async () => {
    expect(await read('/api/usage')).toMatchObject({ status: 200, body: { metering: 'off', total_usd: '0' } });
  });

  it('says why a past month is not charged', async () => {
    const { name } = BillingPeriod.containing(new Date()).previous();
    expect(await read(`/api/charges/${name}`)).toEqual({
      status: 404,
      body: expect.objectContaining({
        code: 'usage.metering-off',
        detail: 'This month is not charged. Metering is off: Homeport measures no usage and charges no month.',
      }),
    });
  });
});
