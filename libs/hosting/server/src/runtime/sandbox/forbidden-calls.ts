import { type Architecture, CHECKED_SYSTEM_CALLS, DENIED_SYSTEM_CALLS, UNKNOWN_SYSTEM_CALLS } from './system-calls';

/** Name, number and arguments of a system call. The arguments are invalid or harmless: the call changes nothing. */
export type ForbiddenCall = readonly [name: string, number: number, ...args: number[]];

const INVALID = -1;
/** It takes no argument that could be invalid. */
const WITHOUT_ARGUMENTS = 'vhangup';

/** Families of sockets that the filter denies: family, type, protocol. */
const SOCKETS = {
  NETLINK_AUDIT: [16, 3, 9],
  AF_PACKET: [17, 3, 0],
  AF_ALG: [38, 5, 0],
  AF_VSOCK: [40, 1, 0],
  AF_XDP: [44, 3, 0],
} as const;
/** CLONE_NEWUSER with CLONE_FS, which the kernel does not combine. */
const NEW_USER_NAMESPACE = 0x10000200;
const TERMINAL_INPUT = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c } as const;

/** Every system call that the filter denies, to try from inside a sandbox. */
export function forbiddenCalls(architecture: Architecture): readonly ForbiddenCall[] {
  const denied = Object.entries({ ...DENIED_SYSTEM_CALLS, ...UNKNOWN_SYSTEM_CALLS })
    .filter(([name]) => name !== WITHOUT_ARGUMENTS)
    .flatMap(([name, { [architecture]: number }]) => (number === null ? [] : [[name, number] as const]));
  const numberOf = (name: keyof typeof CHECKED_SYSTEM_CALLS) => CHECKED_SYSTEM_CALLS[name][architecture];
  return [
    ...denied.map((call): ForbiddenCall => [...call, ...Array<number>(6).fill(INVALID)]),
    ...Object.entries(SOCKETS).map(([name, args]): ForbiddenCall => [name, numberOf('socket'), ...args]),
    ['clone', numberOf('clone'), NEW_USER_NAMESPACE, 0, 0, 0, 0],
    ...Object.entries(TERMINAL_INPUT).map(([name, request]): ForbiddenCall => [
      name,
      numberOf('ioctl'),
      INVALID,
      request,
      0,
    ]),
  ];
}
