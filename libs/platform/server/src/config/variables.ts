import { z } from 'zod';

/** A trimmed, non-empty text. */
export const text = z.string().trim().min(1, 'is empty');

export const wholeNumber = (least: number, most: number) =>
  text
    .regex(/^\d{1,15}$/, `is not a whole number between ${least} and ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `is not between ${least} and ${most}`);

export const port = wholeNumber(1, 65_535);

/** The port for programs of the operator, such as Prometheus. Without it, nothing is measured. */
export const MANAGEMENT_VARIABLES = {
  MANAGEMENT_PORT: port.optional(),
  MANAGEMENT_HOST: text.default('127.0.0.1'),
};

/** A text that is sent in a header. */
export const headerText = text.regex(/^[\x21-\x7e]*$/, 'contains a space, a line break or a letter that is not ASCII');

/** Milliseconds between the stop signal and closing the listener. The default covers a health check every 5 s. */
export const shutdownNotice = wholeNumber(0, 600_000).default(6_000);

export const flag = z.enum(['true', 'false'], 'is neither true nor false').transform((value) => value === 'true');

/** Values separated by commas; empty values are dropped. */
export const list = text.transform((value) =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== ''),
);

export const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'is not an http or https address, such as https://service.example.com',
});

/** Tracing is off without it. The libraries of OpenTelemetry read the other `OTEL_` variables. */
export const TRACING_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
};

export const hostname = text.regex(
  /^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/,
  'is not a host name in lower case, such as apps.example.com',
);

export const logLevel = z.enum(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  'is not one of trace, debug, info, warn, error, fatal and silent',
);

/** IP addresses and networks, separated by commas. */
export const networks = list.refine(
  (names) =>
    names.every((name) => z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).safeParse(name).success) &&
    // The library that compares addresses rejects the network of all addresses.
    !names.some((name) => name.endsWith('/0')),
  'contains something other than IP addresses and networks such as 10.0.0.0/8',
);
