import { InvalidConfig } from '../config/read-environment';

/** The configuration; where it has faults, they are printed and the process ends with 1. */
export function configOrExit<Config>(load: () => Config): Config {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
