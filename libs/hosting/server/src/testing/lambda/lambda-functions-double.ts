import { createHash, randomUUID } from 'node:crypto';

type Input = Readonly<Record<string, unknown>>;

/** What a version runs. */
export interface DoubleVersion {
  readonly zip: Buffer;
  readonly settings: Input;
}

interface DoubleFunction {
  zip: Buffer;
  settings: Input;
  readonly versions: Map<string, DoubleVersion>;
  readonly aliases: Map<string, string>;
  published: number;
  /** How many more reads of the configuration show that an update is in progress. */
  pendingReads: number;
}

/** An exception of Lambda. */
export class DoubleException extends Error {
  constructor(
    override readonly name: string,
    message: string,
  ) {
    super(message);
  }
}

/** Functions, versions and aliases, with the rules of AWS Lambda. */
export class LambdaFunctionsDouble {
  readonly #functions = new Map<string, DoubleFunction>();
  /** How many reads show an update before it is done. */
  updateReads = 0;

  /** The names of functions with their aliases. */
  get names(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries([...this.#functions].map(([name, { aliases }]) => [name, [...aliases.keys()].sort()]));
  }

  /** The settings of a function. */
  settingsOf(name: string): Input {
    return this.#get(name).settings;
  }

  /** The number of versions of a function. */
  versionsOf(name: string): number {
    return this.#get(name).versions.size;
  }

  /** @param qualifier a version or an alias. */
  resolve(name: string, qualifier: string): DoubleVersion & { readonly version: string } {
    const { versions, aliases } = this.#get(name);
    const version = aliases.get(qualifier) ?? qualifier;
    const found = versions.get(version);
    if (!found) throw notFound(`${name}:${qualifier}`);
    return { ...found, version };
  }

  create({ FunctionName, Code, Publish, ...settings }: Input): Input {
    const name = String(FunctionName);
    if (this.#functions.has(name)) throw conflict(`Function already exist: ${name}`);
    const zip = Buffer.from((Code as { ZipFile: Uint8Array }).ZipFile);
    const created = { zip, settings, versions: new Map(), aliases: new Map(), published: 0, pendingReads: 0 };
    this.#functions.set(name, created);
    return Publish === true ? this.#publish(name) : this.configuration(name);
  }

  updateConfiguration({ FunctionName, ...settings }: Input): Input {
    const name = String(FunctionName);
    const updated = this.#updatable(name);
    updated.settings = { ...updated.settings, ...settings };
    updated.pendingReads = this.updateReads;
    return this.configuration(name);
  }

  updateCode({ FunctionName, ZipFile, Publish }: Input): Input {
    const name = String(FunctionName);
    const updated = this.#updatable(name);
    updated.zip = Buffer.from(ZipFile as Uint8Array);
    updated.pendingReads = this.updateReads;
    return Publish === true ? this.#publish(name) : this.configuration(name);
  }

  /** Reads the configuration of the latest code, or of a version. */
  configuration(name: string, qualifier?: string): Input {
    const found = this.#get(name);
    if (qualifier !== undefined) return this.#describe(name, this.resolve(name, qualifier), 'Successful');
    const isPending = found.pendingReads > 0;
    if (isPending) found.pendingReads -= 1;
    return this.#describe(name, { ...found, version: '$LATEST' }, isPending ? 'InProgress' : 'Successful');
  }

  list(): Input {
    return { Functions: [...this.#functions.keys()].map((FunctionName) => ({ FunctionName })) };
  }

  listAliases(name: string): Input {
    const Aliases = [...this.#get(name).aliases].map(([Name, FunctionVersion]) => ({ Name, FunctionVersion }));
    return { Aliases };
  }

  createAlias({ FunctionName, Name, FunctionVersion }: Input): Input {
    const { aliases } = this.#get(String(FunctionName));
    if (aliases.has(String(Name))) throw conflict(`Alias already exists: ${String(Name)}`);
    this.resolve(String(FunctionName), String(FunctionVersion));
    aliases.set(String(Name), String(FunctionVersion));
    return { Name, FunctionVersion };
  }

  getAlias(name: string, alias: string): Input {
    const FunctionVersion = this.#get(name).aliases.get(alias);
    if (FunctionVersion === undefined) throw notFound(`${name}:${alias}`);
    return { Name: alias, FunctionVersion };
  }

  /** Succeeds without the alias too. */
  deleteAlias(name: string, alias: string): Input {
    this.#get(name).aliases.delete(alias);
    return {};
  }

  delete(name: string, qualifier?: string): Input {
    const { versions, aliases } = this.#get(name);
    if (qualifier === undefined) this.#functions.delete(name);
    else if ([...aliases.values()].includes(qualifier)) throw conflict(`The version ${qualifier} has an alias.`);
    else if (!versions.delete(qualifier)) throw notFound(`${name}:${qualifier}`);
    return { StatusCode: 204 };
  }

  #publish(name: string): Input {
    const found = this.#get(name);
    found.published += 1;
    const version = String(found.published);
    found.versions.set(version, { zip: found.zip, settings: found.settings });
    return this.#describe(name, this.resolve(name, version), 'Successful');
  }

  #describe(name: string, { zip, settings, version }: DoubleVersion & { version: string }, update: string): Input {
    return {
      ...settings,
      FunctionName: name,
      FunctionArn: `arn:aws:lambda:us-east-1:123456789012:function:${name}`,
      Version: version,
      State: 'Active',
      LastUpdateStatus: update,
      CodeSha256: createHash('sha256').update(zip).digest('base64'),
      CodeSize: zip.length,
      RevisionId: randomUUID(),
    };
  }

  #updatable(name: string): DoubleFunction {
    const found = this.#get(name);
    if (found.pendingReads > 0) throw conflict(`An update is in progress for resource: ${name}`);
    return found;
  }

  #get(name: string): DoubleFunction {
    const found = this.#functions.get(name);
    if (!found) throw notFound(name);
    return found;
  }
}

function conflict(message: string): DoubleException {
  return new DoubleException('ResourceConflictException', message);
}

function notFound(name: string): DoubleException {
  return new DoubleException('ResourceNotFoundException', `Function not found: ${name}`);
}
