import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { LambdaDouble } from '../../../testing/lambda/lambda-double';
import { PROBE_APP } from '../../../testing/runtime/probe-app';
import { runtimeContract } from '../../../testing/runtime/runtime.contract';
import { RunningRuntime, type RuntimeContext } from '../../../testing/runtime/running-runtime';
import { createLambdaClients } from './lambda-clients';
import { LambdaRuntime } from './lambda-runtime';

const ROLE = 'arn:aws:iam::123456789012:role/homeport-app';
const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };

let double: LambdaDouble;
let errors: unknown[];
beforeEach(async () => {
  double = await new LambdaDouble().listen();
  errors = [];
});
afterEach(async () => {
  await double.close();
  expect([...errors, ...double.errors]).toEqual([]);
});

const createRuntime = (context: RuntimeContext) => {
  const clients = createLambdaClients({ region: 'us-east-1', endpoint: double.address, credentials: CREDENTIALS });
  return new LambdaRuntime({ ...context, ...clients, role: ROLE, onError: (error) => errors.push(error) });
};

runtimeContract('LambdaRuntime', createRuntime);

describe('LambdaRuntime', () => {
  let folder: string;
  let runtime: RunningRuntime;
  let deploy: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hp-bundle-'));
    await writeFile(join(folder, 'server.mjs'), PROBE_APP);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const open = (limits = {}) => {
    const bundles = { prepare: () => Promise.resolve(folder) };
    return new RunningRuntime({ createRuntime, bundles, limits }).open();
  };
  beforeEach(async () => {
    runtime = await open();
    deploy = runtime.deploy();
  });
  afterEach(() => runtime.close());

  const appOf = (deployId: string) => runtime.directory.servers.get(deployId)!.appId;
  const functionOf = (deployId: string) => `homeport-${appOf(deployId)}`;
  const failureOf = async (path = '/') => {
    const { status, headers } = await runtime.request({ deploy, path });
    return [status, headers['x-homeport-runtime']];
  };

  it('has a function for each app, and a version with an alias for each revision', async () => {
    const other = runtime.deploy(appOf(deploy));
    await Promise.all([runtime.request({ deploy }), runtime.request({ deploy: other })]);
    const aliases = [`production-${deploy}-1`, `production-${other}-1`].sort();
    expect(double.functions.names).toEqual({ [functionOf(deploy)]: aliases });
    expect(double.functions.versionsOf(functionOf(deploy))).toBe(2);
    expect(double.functions.settingsOf(functionOf(deploy))).toMatchObject({
      Runtime: 'nodejs24.x',
      Role: ROLE,
      MemorySize: 512,
      Timeout: 310,
    });
    await runtime.runtime.retire({ deployId: deploy, version: 1, scope: 'production' });
    await runtime.runtime.retire({ deployId: other, version: 1, scope: 'production' });
    expect(double.functions.names).toEqual({});
  });

  it('finds what an earlier runtime has published, and retires it', async () => {
    await runtime.request({ deploy });
    const later = await open();
    later.directory.add(deploy, appOf(deploy));
    await later.runtime.ready(AbortSignal.timeout(10_000));
    while ([...later.runtime.revisions].length === 0) await new Promise(setImmediate);
    expect((await later.request({ deploy })).status).toBe(200);
    expect(double.count('CreateFunction')).toBe(1);
    await later.runtime.retire({ deployId: deploy, version: 1, scope: 'production' });
    expect(double.functions.names).toEqual({});
    await later.close();
  });

  it('publishes a revision once when two runtimes start it at the same time', async () => {
    const other = await open();
    other.directory.add(deploy, appOf(deploy));
    double.functions.updateReads = 1;
    const answers = await Promise.all([runtime.request({ deploy }), other.request({ deploy })]);
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(double.functions.names).toEqual({ [functionOf(deploy)]: [`production-${deploy}-1`] });
    await other.close();
  });

  it('seals the variables in the package, and shows apps nothing of AWS', async () => {
    runtime.directory.environments.set(`${appOf(deploy)} production`, { GREETING: 'a secret value' });
    expect((await runtime.request({ deploy })).body).toBe('a secret value');
    const { zip, settings } = double.functions.resolve(functionOf(deploy), '1');
    const files = unzipSync(zip);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['app/server.mjs', 'homeport/environment.sealed']));
    const texts = Object.values(files).map((bytes) => Buffer.from(bytes).toString('latin1'));
    expect([...texts, JSON.stringify(settings)].filter((text) => text.includes('a secret value'))).toEqual([]);
    const names = Object.keys(JSON.parse((await runtime.request({ deploy, path: '/environment' })).body) as object);
    expect(names.filter((name) => /^AWS_|^LAMBDA_|^HOMEPORT_/.test(name))).toEqual([]);
  });

  it('answers 501 to WebSockets', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    expect((await runtime.request({ deploy, headers })).status).toBe(501);
  });

  it('repeats throttled calls, and reports a full queue when Lambda stays throttled', async () => {
    double.faults.next('CreateFunction', { error: 'TooManyRequestsException' });
    double.faults.next('InvokeWithResponseStream', { error: 'TooManyRequestsException' });
    expect(await failureOf()).toEqual([200, undefined]);
    double.faults.next('InvokeWithResponseStream', { error: 'TooManyRequestsException' }, 3);
    expect(await failureOf()).toEqual([503, 'queue-full']);
    expect(await failureOf()).toEqual([200, undefined]);
  });

  it('waits for changes of the function by others', async () => {
    await runtime.request({ deploy });
    const next = runtime.deploy(appOf(deploy));
    double.faults.next('UpdateFunctionCode', { error: 'ResourceConflictException' });
    double.faults.next('InvokeWithResponseStream', { error: 'ResourceConflictException' });
    expect((await runtime.request({ deploy: next })).status).toBe(200);
  });

  it('publishes a version again that was removed outside', async () => {
    await runtime.request({ deploy });
    double.functions.delete(functionOf(deploy));
    expect(await failureOf()).toEqual([200, undefined]);
    double.faults.next('InvokeWithResponseStream', { error: 'ResourceNotFoundException' }, 2);
    expect(await failureOf()).toEqual([503, 'start-failed']);
  });

  it('never sends a request again that may have been executed', async () => {
    await runtime.request({ deploy });
    const before = double.count('InvokeWithResponseStream');
    double.faults.next('InvokeWithResponseStream', 'reset');
    expect((await failureOf())[0]).toBe(503);
    double.faults.next('InvokeWithResponseStream', { status: 502 });
    expect((await failureOf())[0]).toBe(503);
    expect(double.count('InvokeWithResponseStream') - before).toBe(2);
  });

  it('reports a function that does not answer', async () => {
    await runtime.request({ deploy });
    await runtime.close();
    runtime = await open({ startMs: -9_900 });
    deploy = runtime.deploy();
    double.faults.next('InvokeWithResponseStream', 'hang');
    expect(await failureOf()).toEqual([504, 'timeout']);
  });

  it('closes the connection when a response is cut, or Lambda ends the function within it', async () => {
    await runtime.request({ deploy });
    for (const fault of [{ cutAfterBytes: 100_000 }, { functionError: 'Runtime.OutOfMemory', afterBytes: 100_000 }]) {
      double.faults.next('InvokeWithResponseStream', fault);
      await expect(buffer(await runtime.send({ deploy, path: '/large' }))).rejects.toThrow('aborted');
    }
    expect(runtime.lines.map(({ line }) => line)).toContain('The server crashed: Runtime.OutOfMemory: planned.');
  });

  it('reports a function that ends before its response', async () => {
    await runtime.request({ deploy });
    double.faults.next('InvokeWithResponseStream', { functionError: 'Runtime.OutOfMemory', afterBytes: 0 });
    expect(await failureOf()).toEqual([502, 'runtime-crashed']);
    double.faults.next('InvokeWithResponseStream', { functionError: 'Sandbox.Timedout', afterBytes: 0 });
    expect(await failureOf()).toEqual([504, 'timeout']);
    double.faults.next('InvokeWithResponseStream', { cutAfterBytes: 10 });
    expect((await failureOf())[0]).toBe(502);
  });

  it('rejects a body that does not fit into an event', async () => {
    const large = { deploy, path: '/echo', method: 'POST', body: Buffer.alloc(4 * 1024 ** 2 + 1) };
    expect((await runtime.request(large)).status).toBe(413);
    const whole = await runtime.request({ ...large, body: Buffer.alloc(4 * 1024 ** 2, 'x') });
    expect([whole.status, whole.body.length]).toEqual([200, 4 * 1024 ** 2]);
  });

  it('suspends instances in its reports as Lambda does, and retires former versions', async () => {
    await runtime.request({ deploy });
    const states = () =>
      [...runtime.runtime.revisions].flatMap((each) => [...each.instances].map(({ state }) => state));
    while (states()[0] === 'ready') {
      runtime.pass(10_001);
      await new Promise(setImmediate);
    }
    expect(states()).toEqual(['frozen']);
    runtime.directory.add(deploy, appOf(deploy), 2);
    await runtime.runtime.warm({ deployId: deploy, version: 2, scope: 'production' });
    runtime.pass(0);
    while (double.functions.names[functionOf(deploy)]!.length > 1) await new Promise(setImmediate);
    expect(double.functions.names).toEqual({ [functionOf(deploy)]: [`production-${deploy}-2`] });
  });
});
