import type { Options } from '@swc/core';

export const swcOptions: Options;
