// What AWS Lambda runs in a copy of a function: loads the handler, and asks the Runtime API for events. Arguments: the
// address of the Runtime API, the folder of the package, the handler.
import { once } from 'node:events';
import { get, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const [api, root, handlerName] = process.argv.slice(2);

globalThis.awslambda = { streamifyResponse: (handler) => handler };

async function nextEvent() {
  const [response] = await once(get(`${api}/invocation/next`, { agent: false }), 'response');
  return { id: response.headers['lambda-runtime-aws-request-id'], event: JSON.parse(await text(response)) };
}

async function invoke(handler, { id, event }) {
  const headers = { 'Lambda-Runtime-Function-Response-Mode': 'streaming', 'Transfer-Encoding': 'chunked' };
  const output = request(`${api}/invocation/${id}/response`, { method: 'POST', agent: false, headers });
  const answered = once(output, 'response');
  answered.catch(() => undefined);
  await handler(event, output, {});
  if (!output.writableEnded) output.end();
  const [response] = await answered;
  response.resume();
}

const [file, name] = handlerName.split('.');
const { [name]: handler } = await import(pathToFileURL(join(root, `${file}.mjs`)).href);
for (;;) await invoke(handler, await nextEvent());
