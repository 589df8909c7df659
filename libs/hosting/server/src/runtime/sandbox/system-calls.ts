/** The processor architectures for which a filter can be made, as Node names them. */
export const ARCHITECTURES = ['x64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** Numbers of a system call; `null` where the architecture does not have it. */
type Numbers = Readonly<Record<Architecture, number | null>>;

const numbers = <X64 extends number | null, Arm64 extends number | null>(x64: X64, arm64: Arm64) => ({ x64, arm64 });

/** What attacks on the kernel use and servers do not. Sources: asm/unistd_64.h and asm-generic/unistd.h of Linux 6.1. */
export const DENIED_SYSTEM_CALLS: Readonly<Record<string, Numbers>> = {
  // Namespaces and mounts
  unshare: numbers(272, 97),
  setns: numbers(308, 268),
  mount: numbers(165, 40),
  umount2: numbers(166, 39),
  pivot_root: numbers(155, 41),
  chroot: numbers(161, 51),
  move_mount: numbers(429, 429),
  open_tree: numbers(428, 428),
  fsopen: numbers(430, 430),
  fsconfig: numbers(431, 431),
  fsmount: numbers(432, 432),
  fspick: numbers(433, 433),
  mount_setattr: numbers(442, 442),
  // Other processes
  ptrace: numbers(101, 117),
  process_vm_readv: numbers(310, 270),
  process_vm_writev: numbers(311, 271),
  process_madvise: numbers(440, 440),
  kcmp: numbers(312, 272),
  pidfd_getfd: numbers(438, 438),
  // Programs in the kernel, and interfaces with many faults in the past
  bpf: numbers(321, 280),
  perf_event_open: numbers(298, 241),
  userfaultfd: numbers(323, 282),
  add_key: numbers(248, 217),
  request_key: numbers(249, 218),
  keyctl: numbers(250, 219),
  // Files without a path
  name_to_handle_at: numbers(303, 264),
  open_by_handle_at: numbers(304, 265),
  fanotify_init: numbers(300, 262),
  lookup_dcookie: numbers(212, 18),
  // The machine
  init_module: numbers(175, 105),
  finit_module: numbers(313, 273),
  delete_module: numbers(176, 106),
  kexec_load: numbers(246, 104),
  kexec_file_load: numbers(320, 294),
  reboot: numbers(169, 142),
  swapon: numbers(167, 224),
  swapoff: numbers(168, 225),
  acct: numbers(163, 89),
  quotactl: numbers(179, 60),
  quotactl_fd: numbers(443, 443),
  syslog: numbers(103, 116),
  settimeofday: numbers(164, 170),
  clock_settime: numbers(227, 112),
  clock_adjtime: numbers(305, 266),
  adjtimex: numbers(159, 171),
  personality: numbers(135, 92),
  vhangup: numbers(153, 58),
  migrate_pages: numbers(256, 238),
  move_pages: numbers(279, 239),
  iopl: numbers(172, null),
  ioperm: numbers(173, null),
  modify_ldt: numbers(154, null),
  uselib: numbers(134, null),
  ustat: numbers(136, null),
};

/** Calls for which libraries have another way when the kernel does not know them. */
export const UNKNOWN_SYSTEM_CALLS: Readonly<Record<string, Numbers>> = {
  // Its flags are in memory, where a filter cannot read them: libc falls back to clone.
  clone3: numbers(435, 435),
  io_uring_setup: numbers(425, 425),
  io_uring_enter: numbers(426, 426),
  io_uring_register: numbers(427, 427),
};

/** Calls whose arguments decide. */
export const CHECKED_SYSTEM_CALLS = {
  clone: numbers(56, 220),
  socket: numbers(41, 198),
  socketpair: numbers(53, 199),
  ioctl: numbers(16, 29),
} as const satisfies Readonly<Record<string, Numbers>>;

/** The numbers of some calls on an architecture. */
export function numbersOf(calls: Readonly<Record<string, Numbers>>, architecture: Architecture): readonly number[] {
  return Object.values(calls).flatMap((each) => each[architecture] ?? []);
}
