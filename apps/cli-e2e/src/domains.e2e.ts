import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setOwnRecord } from '@homeport/dev-services';
import { Machine, settings, uniqueName } from './command-line';

interface Domain {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly is_primary: boolean;
  readonly redirect_to: string | null;
  readonly records: readonly { readonly type: string; readonly name: string; readonly value: string }[];
}

interface App {
  readonly id: string;
  readonly subdomain: string;
  readonly url: string;
}

const DOMAIN = `cli-${process.pid}.test`;
const NAME = `www.${DOMAIN}`;

let machine: Machine;
let app: App;

beforeAll(async () => {
  machine = await Machine.inProcessOf('ada');
  app = await machine.json<App>(['apps', 'register', uniqueName('Domains')]);
  await machine.write({ 'homeport.json': JSON.stringify({ app: app.subdomain }) });
});

afterAll(async () => {
  for (const name of [NAME, DOMAIN]) await machine.run(['domains', 'remove', name, '--yes']);
  await machine.run(['apps', 'delete', app.id, '--yes']);
  await machine.remove();
});

const createRecords = async ({ records }: Domain): Promise<void> => {
  for (const { type, name, value } of records) await setOwnRecord(settings, name, type, [value]);
};

describe('homeport domains', () => {
  it('asks for the price before it adds a domain', async () => {
    const { code, stderr } = await machine.run(['domains', 'add', NAME]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${NAME} costs 10 USD a month, from the day it works. Add it?`);
    expect(stderr).toContain('--accept-price 10');
    expect(await machine.run(['domains', 'add', NAME, '--accept-price', '1'])).toMatchObject({ code: 5 });
    expect(await machine.run(['domains', 'add', NAME, '--base', '--app', app.id])).toMatchObject({ code: 2 });
  });

  it('prints the records to create, and waits until the domain works', async () => {
    const { code, stdout } = await machine.run(['domains', 'add', NAME, '--accept-price', '10']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^TXT +_homeport\\.${NAME} +homeport-domain=[0-9a-f]{32} +missing$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^CNAME +${NAME} `, 'm'));
    const early = await machine.run(['domains', 'check', NAME, '--wait', '--timeout', '0.001']);
    expect(early).toMatchObject({ code: 7, stderr: expect.stringContaining(`${NAME} is not active yet`) });
    await createRecords(await machine.json<Domain>(['domains', 'show', NAME]));
    const active = await machine.json<Domain>(['domains', 'check', NAME, '--wait']);
    expect(active).toMatchObject({ name: NAME, status: 'active' });
    expect(await machine.run(['domains', 'list', '--app', app.id])).toMatchObject({
      stdout: expect.stringMatching(new RegExp(`^${NAME} +active +${app.subdomain} +no `, 'm')),
    });
  });

  it('shows the primary address with the app, and redirects other ones', async () => {
    expect(await machine.json<Domain>(['domains', 'update', NAME, '--primary'])).toMatchObject({ is_primary: true });
    const shown = await machine.json<App>(['apps', 'show', app.id]);
    expect(new URL(shown.url).hostname).toBe(NAME);
    const { stdout } = await machine.run(['apps', 'show', app.id]);
    expect(stdout).toContain(`Address:  ${shown.url}\nAlso at:  ${app.url}\n`);
    await machine.json<Domain>(['domains', 'add', DOMAIN, '--accept-price', '10']);
    const redirecting = await machine.json<Domain>(['domains', 'update', DOMAIN, '--redirect-to', NAME]);
    expect(redirecting).toMatchObject({ redirect_to: NAME });
    expect(await machine.json<Domain>(['domains', 'update', DOMAIN, '--serve'])).toMatchObject({ redirect_to: null });
    expect(await machine.json(['domains', 'update', DOMAIN, '--hsts'])).toMatchObject({ hsts: 'on' });
    expect(await machine.json(['domains', 'update', DOMAIN, '--no-hsts'])).toMatchObject({ hsts: 'off' });
    expect(await machine.run(['domains', 'update', DOMAIN])).toMatchObject({ code: 2 });
  });

  it('removes a domain after a question', async () => {
    expect(await machine.run(['domains', 'remove', NAME])).toMatchObject({ code: 2 });
    expect(await machine.run(['domains', 'remove', NAME, '--yes'])).toMatchObject({ code: 0 });
    expect(await machine.run(['domains', 'show', NAME])).toMatchObject({ code: 4 });
  });
});
