import { afterEach, beforeEach, expect } from '@jest/globals';
import { LambdaDouble } from '../../../testing/lambda/lambda-double';
import { runtimeContract } from '../../../testing/runtime/runtime.contract';
import type { RuntimeContext } from '../../../testing/runtime/running-runtime';
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
