import {
  type Architecture,
  ARCHITECTURES,
  CHECKED_SYSTEM_CALLS,
  DENIED_SYSTEM_CALLS,
  numbersOf,
  UNKNOWN_SYSTEM_CALLS,
} from './system-calls';

/** An instruction of classic BPF; the jumps count the instructions to skip. */
interface Instruction {
  readonly code: number;
  readonly jumpTrue: number;
  readonly jumpFalse: number;
  readonly value: number;
}

// Codes of linux/bpf_common.h.
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

// Offsets in struct seccomp_data. Arguments have 64 bits; the lower half comes first on both architectures.
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (at: number) => 16 + 8 * at;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const failWith = (errno: number) => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64 */
const ARCHITECTURE_IDS: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Calls of the x32 interface have their own numbers. */
const X32_BIT = 0x40000000;
/** All CLONE_NEW* flags: user, mount, cgroup, UTS, IPC, process and network namespaces. */
const NAMESPACE_FLAGS = 0x7e020000;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
/** TIOCSTI and TIOCLINUX type into the terminal of others. */
const TERMINAL_INPUT = [0x5412, 0x541c];

const load = (offset: number): Instruction => ({ code: LOAD_WORD, jumpTrue: 0, jumpFalse: 0, value: offset });
const end = (value: number): Instruction => ({ code: RETURN, jumpTrue: 0, jumpFalse: 0, value });
/** Runs the instructions only if the loaded word equals a value. */
const ifEqual = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  { code: JUMP_IF_EQUAL, jumpTrue: 0, jumpFalse: then.length, value },
  ...then,
];
const ifAnyBit = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  { code: JUMP_IF_ANY_BIT, jumpTrue: 0, jumpFalse: then.length, value },
  ...then,
];
const ifEqualAny = (values: readonly number[], then: readonly Instruction[]) =>
  values.flatMap((value) => ifEqual(value, then));

const SOCKET_RULE = [
  load(argument(0)),
  ...ifEqualAny([AF_UNIX, AF_INET, AF_INET6], [end(ALLOW)]),
  // os.networkInterfaces() asks the kernel for routes; other protocols configure the network.
  ...ifEqual(AF_NETLINK, [load(argument(2)), ...ifEqual(NETLINK_ROUTE, [end(ALLOW)])]),
  end(failWith(EAFNOSUPPORT)),
];

/** @returns undefined for architectures without a table of system calls. */
export function filterArchitecture(name: string): Architecture | undefined {
  return ARCHITECTURES.find((each) => each === name);
}

/** Compiles the seccomp filter: a program in the format of the kernel. */
export function seccompFilter(architecture: Architecture): Buffer {
  const checked = (name: keyof typeof CHECKED_SYSTEM_CALLS, rule: readonly Instruction[]) =>
    ifEqual(CHECKED_SYSTEM_CALLS[name][architecture], rule);
  return encode([
    load(ARCHITECTURE),
    ...ifDifferent(ARCHITECTURE_IDS[architecture], [end(KILL_PROCESS)]),
    load(CALL_NUMBER),
    ...(architecture === 'x64' ? ifAnyBit(X32_BIT, [end(failWith(ENOSYS))]) : []),
    ...ifEqualAny(numbersOf(DENIED_SYSTEM_CALLS, architecture), [end(failWith(EPERM))]),
    ...ifEqualAny(numbersOf(UNKNOWN_SYSTEM_CALLS, architecture), [end(failWith(ENOSYS))]),
    ...checked('clone', [load(argument(0)), ...ifAnyBit(NAMESPACE_FLAGS, [end(failWith(EPERM))]), end(ALLOW)]),
    ...checked('socket', SOCKET_RULE),
    ...checked('socketpair', SOCKET_RULE),
    ...checked('ioctl', [load(argument(1)), ...ifEqualAny(TERMINAL_INPUT, [end(failWith(EPERM))]), end(ALLOW)]),
    end(ALLOW),
  ]);
}

function ifDifferent(value: number, then: readonly Instruction[]): readonly Instruction[] {
  return [{ code: JUMP_IF_EQUAL, jumpTrue: then.length, jumpFalse: 0, value }, ...then];
}

/** struct sock_filter: code, two jumps, value. */
function encode(program: readonly Instruction[]): Buffer {
  const SIZE = 8;
  const bytes = Buffer.alloc(program.length * SIZE);
  program.forEach(({ code, jumpTrue, jumpFalse, value }, at) => {
    bytes.writeUInt16LE(code, at * SIZE);
    bytes.writeUInt8(jumpTrue, at * SIZE + 2);
    bytes.writeUInt8(jumpFalse, at * SIZE + 3);
    bytes.writeUInt32LE(value >>> 0, at * SIZE + 4);
  });
  return bytes;
}
