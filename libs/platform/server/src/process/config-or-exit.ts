import { InvalidConfig } from '../config/read-environment';

/** Loads the configuration. If it is invalid, prints the errors and exits with code 1. */
export function configOrExit<Config>(load: () => Config): Config {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
