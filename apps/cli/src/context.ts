import { Homeport, type TokenProvider } from '@homeport/api-client';
import { isSecureUrl } from '@homeport/kernel';
import { NotHomeport, NotSignedIn, UsageError } from './cli.errors';
import { CredentialsStore } from './credentials/credentials';
import { storedToken } from './credentials/stored-token';
import type { Environment } from './environment';
import { retriesWithNotice } from './retries';
import type { Terminal } from './terminal/terminal';
import { VERSION } from './version';

const DEFAULT_URL = 'http://localhost:3000';
const USER_AGENT = `homeport-cli/${VERSION}`;

export interface ContextOptions {
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** The current folder. */
  readonly cwd: string;
  /** Aborts when a person interrupts the command. */
  readonly signal: AbortSignal;
  /** The value of `--url`. */
  readonly url: string | undefined;
}

/** What a command gets besides its arguments. */
export class Context {
  readonly environment: Environment;
  readonly terminal: Terminal;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly credentials: CredentialsStore;
  readonly #url: string | undefined;

  constructor({ environment, terminal, cwd, signal, url }: ContextOptions) {
    this.environment = environment;
    this.terminal = terminal;
    this.cwd = cwd;
    this.signal = signal;
    this.credentials = new CredentialsStore(environment.configDir);
    this.#url = url;
  }

  /** The origin of the server. @throws {UsageError} when a token would be sent unprotected. */
  async url(): Promise<string> {
    const given = this.#url ?? this.environment.url ?? (await this.credentials.currentUrl()) ?? DEFAULT_URL;
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`"${given}" is not the address of a server.`);
    if (!isSecureUrl(url)) throw new UsageError(`${url.origin} is not protected by https.`, 'Use the https address.');
    if (url.pathname !== '/' || url.search !== '' || url.username !== '' || url.password !== '')
      throw new UsageError(`"${given}" is more than the address of a server.`, `Use ${url.origin}.`);
    return url.origin;
  }

  /** Connects without credentials, for public calls. */
  async publicServer(): Promise<Homeport> {
    return this.#connect(await this.url());
  }

  /** Connects with the token of the environment or of the sign-in. @throws {NotSignedIn} */
  async server(): Promise<Homeport> {
    const url = await this.url();
    const { token } = this.environment;
    if (token === undefined && !(await this.credentials.find(url))) throw new NotSignedIn(url);
    return this.#connect(url, token ?? ((rejected) => storedToken(this.credentials, url, rejected)));
  }

  /** Connects with a token that is not stored yet. */
  async serverWith(token: string): Promise<Homeport> {
    return this.#connect(await this.url(), token);
  }

  #connect(baseUrl: string, token?: string | TokenProvider): Homeport {
    const { signal, terminal } = this;
    const retries = retriesWithNotice(terminal);
    // Every response of Homeport has it.
    const inspect = ({ headers }: Response) => {
      if (!headers.has('x-request-id')) throw new NotHomeport(baseUrl);
    };
    const common = { baseUrl, userAgent: USER_AGENT, signal, retries, inspect };
    return new Homeport({ ...common, ...(token !== undefined && { token }) });
  }
}
