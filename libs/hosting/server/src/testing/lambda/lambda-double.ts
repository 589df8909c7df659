import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type LambdaFault, LambdaFaults } from './lambda-faults';
import { DoubleException, LambdaFunctionsDouble } from './lambda-functions-double';
import { LambdaInstancesDouble } from './lambda-instances-double';
import { type LambdaOperation, type LambdaRequest, wire } from './lambda-wire';

/** A test double of AWS Lambda over HTTP. It runs uploaded packages as processes, and has configurable faults. */
export class LambdaDouble {
  readonly faults = new LambdaFaults();
  readonly functions = new LambdaFunctionsDouble();
  readonly instances = new LambdaInstancesDouble(() => this.address);
  /** Every signed call, also those that failed. */
  readonly calls: LambdaOperation[] = [];
  /** Failures of the double itself. */
  readonly errors: unknown[] = [];
  readonly #server: Server = createServer((request, response) => {
    response.on('error', () => undefined);
    this.#serve(request, response).catch((error: unknown) => {
      this.errors.push(error);
      response.destroy();
    });
  });

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async close(): Promise<void> {
    await this.instances.close();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** The number of calls of an operation. */
  count(operation: LambdaOperation): number {
    return this.calls.filter((each) => each === operation).length;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/runtime/')) return this.instances.serve(request, response);
    const body = await buffer(request);
    const call = wire.read(request, body);
    if (!call)
      return sendError(response, 'InvalidParameterValueException', `unknown: ${request.method} ${request.url}`);
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))
      return sendError(response, 'AccessDeniedException', 'not signed');
    this.calls.push(call.operation);
    const fault = this.faults.take(call.operation);
    if (fault === 'hang') return;
    if (fault === 'reset') return void response.destroy();
    if (typeof fault === 'object' && 'error' in fault) return sendError(response, fault.error, 'planned');
    if (typeof fault === 'object' && 'status' in fault) return void response.writeHead(fault.status).end();
    try {
      await this.#answer(call, response, fault);
    } catch (error) {
      if (!(error instanceof DoubleException)) throw error;
      sendError(response, error.name, error.message);
    }
  }

  async #answer(call: LambdaRequest, response: ServerResponse, fault: LambdaFault | undefined): Promise<void> {
    if (call.operation === 'InvokeWithResponseStream') return this.#invoke(call.input, response, fault);
    const { status, body } = wire.write(call.operation, this.#outputOf(call));
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  }

  #outputOf({ operation, input }: LambdaRequest): Readonly<Record<string, unknown>> {
    const { functions } = this;
    const name = String(input['FunctionName']);
    const alias = String(input['Name']);
    const qualifier = input['Qualifier'] as string | undefined;
    switch (operation) {
      case 'CreateFunction':
        return functions.create(input);
      case 'UpdateFunctionCode':
        return functions.updateCode(input);
      case 'UpdateFunctionConfiguration':
        return functions.updateConfiguration(input);
      case 'GetFunctionConfiguration':
        return functions.configuration(name, qualifier);
      case 'GetFunction':
        return { Configuration: functions.configuration(name, qualifier) };
      case 'DeleteFunction':
        return functions.delete(name, qualifier);
      case 'CreateAlias':
        return functions.createAlias(input);
      case 'GetAlias':
        return functions.getAlias(name, alias);
      case 'DeleteAlias':
        return functions.deleteAlias(name, alias);
      case 'ListAliases':
        return functions.listAliases(name);
      default:
        return functions.list();
    }
  }

  async #invoke(
    input: LambdaRequest['input'],
    response: ServerResponse,
    fault: LambdaFault | undefined,
  ): Promise<void> {
    const name = String(input['FunctionName']);
    const version = this.functions.resolve(name, String(input['Qualifier']));
    const respond = async (payload: IncomingMessage) => {
      response.writeHead(200, { 'Content-Type': 'application/vnd.amazon.eventstream' });
      await stream(payload, response, typeof fault === 'object' ? fault : undefined);
    };
    const event = input['Payload'] as Buffer;
    try {
      await this.instances.invoke(`${name}:${version.version}`, version, { event, respond });
      if (response.destroyed || response.writableEnded) return;
      response.end(wire.writeEvent({ InvokeComplete: {} }));
    } catch (error) {
      const InvokeComplete = { ErrorCode: 'Runtime.ExitError', ErrorDetails: (error as Error).message };
      if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'application/vnd.amazon.eventstream' });
      response.end(wire.writeEvent({ InvokeComplete }));
    }
  }
}

/** Passes a payload on. When the caller leaves, the function runs on, and nothing reads what it writes. */
async function stream(
  payload: IncomingMessage,
  response: ServerResponse,
  fault: LambdaFault | undefined,
): Promise<void> {
  let bytes = 0;
  const limit = limitOf(fault);
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, limit - bytes);
    bytes += part.length;
    const isWritten = response.write(wire.writeEvent({ PayloadChunk: { Payload: part } }));
    if (bytes >= limit) end(response, fault);
    if (!isWritten && !response.destroyed) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    if (response.destroyed || bytes >= limit) await new Promise(() => undefined);
  }
}

function limitOf(fault: LambdaFault | undefined): number {
  if (typeof fault !== 'object') return Infinity;
  if ('cutAfterBytes' in fault) return fault.cutAfterBytes;
  return 'afterBytes' in fault ? fault.afterBytes : Infinity;
}

function end(response: ServerResponse, fault: LambdaFault | undefined): void {
  if (typeof fault === 'object' && 'functionError' in fault) {
    const InvokeComplete = { ErrorCode: fault.functionError, ErrorDetails: 'planned' };
    response.end(wire.writeEvent({ InvokeComplete }));
  } else response.socket?.end();
}

function sendError(response: ServerResponse, name: string, message: string): void {
  const { status, body } = wire.writeError(name, message);
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Amzn-ErrorType': name }).end(body);
}
