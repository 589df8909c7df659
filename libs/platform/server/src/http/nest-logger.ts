import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Writes the messages of Nest to the JSON log. */
export class NestLogger implements LoggerService {
  constructor(private readonly log_: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.log_.debug({ context: rest.at(-1) }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.log_.warn({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.log_.error({ context: rest.at(-1), detail: rest.slice(0, -1) }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.log_.debug({ context: rest.at(-1) }, String(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.log_.trace({ context: rest.at(-1) }, String(message));
  }
}
