import { describe, expect, it } from '@jest/globals';
import { filterArchitecture, seccompFilter } from './seccomp-filter';
import {
  ARCHITECTURES,
  CHECKED_SYSTEM_CALLS,
  DENIED_SYSTEM_CALLS,
  numbersOf,
  UNKNOWN_SYSTEM_CALLS,
} from './system-calls';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const fail = (errno: number) => 0x00050000 | errno;
const IDS = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** Runs a filter as the kernel does. */
function run(
  filter: Buffer,
  { number, architecture, args = [] }: { number: number; architecture: number; args?: number[] },
) {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(architecture, 4);
  args.forEach((value, at) => data.writeUInt32LE(value >>> 0, 16 + 8 * at));
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else if (code === 0x06) return value;
    else {
      const isTrue = code === 0x15 ? loaded === value : (loaded & value) !== 0;
      at += 8 * filter.readUInt8(at + (isTrue ? 2 : 3));
    }
  }
  throw new Error('The filter does not return.');
}

describe.each(ARCHITECTURES)('the seccomp filter for %s', (architecture) => {
  const filter = seccompFilter(architecture);
  const verdict = (number: number, ...args: number[]) => run(filter, { number, architecture: IDS[architecture], args });
  const { clone, socket, socketpair, ioctl } = CHECKED_SYSTEM_CALLS;

  it('is a program that the kernel accepts', () => {
    expect(filter.length % 8).toBe(0);
    expect(filter.length / 8).toBeLessThan(4096);
  });

  it('denies every listed system call', () => {
    const denied = numbersOf(DENIED_SYSTEM_CALLS, architecture);
    expect(new Set(denied).size).toBe(denied.length);
    expect(denied.map((number) => verdict(number))).toEqual(denied.map(() => fail(1)));
    expect(numbersOf(UNKNOWN_SYSTEM_CALLS, architecture).map((number) => verdict(number))).toEqual(
      Array(4).fill(fail(38)),
    );
  });

  it('allows every other system call', () => {
    const special = new Set([
      ...numbersOf(DENIED_SYSTEM_CALLS, architecture),
      ...numbersOf(UNKNOWN_SYSTEM_CALLS, architecture),
      ...numbersOf(CHECKED_SYSTEM_CALLS, architecture),
    ]);
    const others = Array.from({ length: 470 }, (_, number) => number).filter((number) => !special.has(number));
    expect(others.filter((number) => verdict(number) !== ALLOW)).toEqual([]);
  });

  it('allows processes and threads without new namespaces', () => {
    expect(verdict(clone[architecture], 0x003d0f00)).toBe(ALLOW);
    for (const flag of [0x10000000, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x20000000, 0x40000000]) {
      expect(verdict(clone[architecture], 0x11 | flag)).toBe(fail(1));
    }
  });

  it.each([socket, socketpair])('allows local and internet sockets only', (call) => {
    for (const family of [1, 2, 10]) expect(verdict(call[architecture], family, 1, 0)).toBe(ALLOW);
    expect(verdict(call[architecture], 16, 3, 0)).toBe(ALLOW);
    expect(verdict(call[architecture], 16, 3, 12)).toBe(fail(97));
    for (const family of [17, 38, 40, 44]) expect(verdict(call[architecture], family, 1, 0)).toBe(fail(97));
  });

  it('denies typing into terminals', () => {
    expect(verdict(ioctl[architecture], 0, 0x5401)).toBe(ALLOW);
    for (const request of [0x5412, 0x541c]) expect(verdict(ioctl[architecture], 0, request)).toBe(fail(1));
  });

  it('kills processes that call through another architecture', () => {
    expect(run(filter, { number: 1, architecture: 0x40000003 })).toBe(KILL);
  });
});

it('denies the x32 calls of x64, and keeps arm64 free of them', () => {
  expect(run(seccompFilter('x64'), { number: 0x40000000 | 101, architecture: IDS.x64 })).toBe(fail(38));
  expect(filterArchitecture('s390x')).toBeUndefined();
  expect(filterArchitecture('arm64')).toBe('arm64');
});
