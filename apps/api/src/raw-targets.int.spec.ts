import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryObjectStore } from '@homeport/files/server';
import { suiteSize } from '@homeport/platform/server/testing';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';
import { FIXED_TARGETS, generatedTargets } from './testing/raw-targets';

const SUBJECT = 'targets';
const METHODS = ['GET', 'PUT', 'DELETE', 'HEAD'];
/** The number of concurrent connections. */
const CONNECTIONS = 8;

/** Records the keys and prefixes that are requested from storage. */
class RecordingStore extends InMemoryObjectStore {
  readonly requestedKeys: string[] = [];

  override async put(...args: Parameters<InMemoryObjectStore['put']>): ReturnType<InMemoryObjectStore['put']> {
    this.requestedKeys.push(args[0]);
    return super.put(...args);
  }

  override async get(...args: Parameters<InMemoryObjectStore['get']>): ReturnType<InMemoryObjectStore['get']> {
    this.requestedKeys.push(args[0]);
    return super.get(...args);
  }

  override async head(...args: Parameters<InMemoryObjectStore['head']>): ReturnType<InMemoryObjectStore['head']> {
    this.requestedKeys.push(args[0]);
    return super.head(...args);
  }

  override async list(...args: Parameters<InMemoryObjectStore['list']>): ReturnType<InMemoryObjectStore['list']> {
    this.requestedKeys.push(args[0]);
    return super.list(...args);
  }

  override async delete(...args: Parameters<InMemoryObjectStore['delete']>): Promise<void> {
    this.requestedKeys.push(args[0]);
    return super.delete(...args);
  }
}

const store = new RecordingStore();
let api: InProcessApi;
let token: string;
let ownPrefix: string;

beforeAll(async () => {
  api = await startInProcessApi({}, (adapters) => ({ ...adapters, files: { ...adapters.files, objectStore: store } }));
  token = await api.issuer.token({ sub: SUBJECT });
  const digest = createHash('sha256').update(`${api.issuer.url}\n${SUBJECT}`).digest('base64url');
  ownPrefix = `u/${digest}/`;
});

afterAll(() => api?.stop());

/** A connection that sends raw requests one after the other. */
class RawConnection {
  #socket: Socket | undefined;

  /** @returns the status of the response; `closed` when the connection closed without one. */
  send(method: string, target: string): Promise<number | 'closed'> {
    const socket = (this.#socket ??= connect(Number(new URL(api.url).port), '127.0.0.1'));
    return new Promise((resolve) => {
      let answer = '';
      const finish = (result: number | 'closed') => {
        socket.removeAllListeners();
        socket.on('error', () => undefined);
        if (result === 'closed' || /^connection: close/im.test(answer)) {
          socket.destroy();
          this.#socket = undefined;
        }
        resolve(result);
      };
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
        const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
        if (status !== undefined && isComplete(answer, method)) finish(Number(status));
      });
      socket.on('error', () => finish('closed'));
      socket.on('close', () => finish('closed'));
      const body = method === 'PUT' ? 'Content-Length: 1\r\n\r\nx' : '\r\n';
      socket.write(
        Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n${body}`, 'latin1'),
      );
    });
  }

  close(): void {
    this.#socket?.destroy();
  }
}

function isComplete(answer: string, method: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = answer.slice(0, end);
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  if (/^transfer-encoding: chunked/im.test(head)) return answer.endsWith('0\r\n\r\n');
  return method === 'HEAD' || answer.length >= end + 4 + length;
}

/** @returns a description of a server error for this target; otherwise `undefined`. */
async function serverErrorFor(connection: RawConnection, target: string, method: string): Promise<string | undefined> {
  const status = await connection.send(method, target);
  if (status === 'closed') return undefined;
  return status >= 500 ? `${method} ${JSON.stringify(target)}: ${status}` : undefined;
}

async function serverErrorsFor(targets: readonly string[]): Promise<string[]> {
  const errors: string[] = [];
  let next = 0;
  const work = async () => {
    const connection = new RawConnection();
    for (let i = next++; i < targets.length; i = next++) {
      const error = await serverErrorFor(connection, targets[i] as string, METHODS[i % METHODS.length] as string);
      if (error !== undefined) errors.push(error);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return errors;
}

describe('raw request targets', () => {
  it.each([
    ['fixed', () => FIXED_TARGETS],
    ['generated', () => generatedTargets(suiteSize(1_000, 100_000))],
  ] as const)('access only the files of the caller: %s', async (_kind, targets) => {
    store.requestedKeys.length = 0;
    expect(await serverErrorsFor(targets())).toEqual([]);
    expect(store.requestedKeys.length).toBeGreaterThan(0);
    expect(store.requestedKeys.filter((key) => !isOwn(key))).toEqual([]);
  });
});

/** Whether a key is inside the prefix of the caller, also when dots, slashes or backslashes are interpreted. */
function isOwn(key: string): boolean {
  const segments = key.slice(ownPrefix.length).split('/');
  return (
    key.startsWith(ownPrefix) && !segments.some((each) => each === '.' || each === '..' || /[\\\0-\x1f]/.test(each))
  );
}
