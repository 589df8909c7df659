import { randomBytes } from 'node:crypto';
import {
  type Architecture,
  CreateAliasCommand,
  CreateFunctionCommand,
  type CreateFunctionCommandInput,
  DeleteAliasCommand,
  DeleteFunctionCommand,
  type FunctionConfiguration,
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListAliasesCommand,
  paginateListAliases,
  paginateListFunctions,
  PreconditionFailedException,
  ResourceConflictException,
  ResourceNotFoundException,
  UpdateFunctionCodeCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionActiveV2,
  waitUntilFunctionUpdatedV2,
  waitUntilPublishedVersionActive,
} from '@aws-sdk/client-lambda';
import type { RuntimeLimits } from '../../domain/runtime-limits';
import { isLambdaName, type LambdaName } from './lambda-names';

/** Holds the key of the variables in the package. */
const KEY_NAME = 'HOMEPORT_KEY';
const KEY_BYTES = 32;
/** For the app, and as much for the guest and the system. The share of the CPU grows with it. */
const MEMORY_FACTOR = 2;
const MIB = 1024 ** 2;
/** What a release of the runtime decides. */
const SETTINGS = ['Runtime', 'Role', 'Handler', 'MemorySize', 'Timeout'] as const;
/** Another runtime may change the same function at the same time. */
const MAX_ATTEMPTS = 5;
const WAIT = { maxWaitTime: 60, minDelay: 0.2, maxDelay: 2 };

export interface LambdaFunctionsOptions {
  readonly client: LambdaClient;
  /** ARN of the role of the functions. */
  readonly role: string;
  readonly limits: Pick<RuntimeLimits, 'memoryBytes' | 'startMs' | 'responseMs'>;
}

/** A function for each app; for each revision a version of it, under an alias. */
export class LambdaFunctions {
  readonly #settings: Pick<CreateFunctionCommandInput, (typeof SETTINGS)[number]>;

  constructor(private readonly options: LambdaFunctionsOptions) {
    const { role, limits } = options;
    this.#settings = {
      Runtime: 'nodejs24.x',
      Role: role,
      Handler: 'homeport/lambda.handler',
      MemorySize: (limits.memoryBytes * MEMORY_FACTOR) / MIB,
      Timeout: Math.ceil((limits.startMs + limits.responseMs) / 1_000),
    };
  }

  /** Lists one function: shows that the credentials are valid. */
  async ready(abortSignal: AbortSignal): Promise<void> {
    const pages = paginateListFunctions({ client: this.options.client, pageSize: 1 }, {}, { abortSignal });
    await pages.next();
  }

  /** Publishes a version under its alias, unless it exists. Several runtimes may do so at the same time. */
  async publish(name: LambdaName, createPackage: (key: Buffer) => Promise<Buffer>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if ((await this.#versionOf(name)) !== undefined) return;
        return await this.#publish(name, createPackage);
      } catch (error) {
        if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error;
        if (error instanceof ResourceConflictException) await this.#waitUntilUpdated(name.FunctionName);
      }
    }
  }

  /** Removes the version of a revision, and the function with its last one. Repeating is safe. */
  async remove(name: LambdaName): Promise<void> {
    const { FunctionName, Name } = name;
    const { client } = this.options;
    const version = await this.#versionOf(name);
    if (version !== undefined) {
      await client.send(new DeleteAliasCommand({ FunctionName, Name }));
      await orAbsent(client.send(new DeleteFunctionCommand({ FunctionName, Qualifier: version })));
    }
    const left = await orAbsent(client.send(new ListAliasesCommand({ FunctionName, MaxItems: 1 })));
    if (left?.Aliases?.length === 0) await orAbsent(client.send(new DeleteFunctionCommand({ FunctionName })));
  }

  /** Lists what all runtimes have published. */
  async *published(): AsyncGenerator<LambdaName, void, undefined> {
    const { client } = this.options;
    for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
      for (const { FunctionName = '' } of Functions) {
        if (!isLambdaName({ FunctionName })) continue;
        for await (const { Aliases = [] } of paginateListAliases({ client }, { FunctionName }))
          for (const { Name = '' } of Aliases) yield { FunctionName, Name };
      }
    }
  }

  /** @returns undefined without the function or the alias. */
  async #versionOf(name: LambdaName): Promise<string | undefined> {
    return (await orAbsent(this.options.client.send(new GetAliasCommand(name))))?.FunctionVersion;
  }

  async #publish({ FunctionName, Name }: LambdaName, createPackage: (key: Buffer) => Promise<Buffer>): Promise<void> {
    const { client } = this.options;
    const found = await orAbsent(client.send(new GetFunctionConfigurationCommand({ FunctionName })));
    const key = found?.Environment?.Variables?.[KEY_NAME] ?? randomBytes(KEY_BYTES).toString('base64');
    const ZipFile = await createPackage(Buffer.from(key, 'base64'));
    const settings = { ...this.#settings, Environment: { Variables: { [KEY_NAME]: key } } };
    let published: FunctionConfiguration;
    if (found) {
      await this.#update(FunctionName, found, settings);
      published = await client.send(new UpdateFunctionCodeCommand({ FunctionName, ZipFile, Publish: true }));
    } else {
      const command = { FunctionName, ...settings, Architectures: ARCHITECTURES, Code: { ZipFile }, Publish: true };
      published = await client.send(new CreateFunctionCommand(command));
    }
    const { Version = '' } = published;
    await waitUntilPublishedVersionActive({ client, ...WAIT }, { FunctionName, Qualifier: Version });
    await client.send(new CreateAliasCommand({ FunctionName, Name, FunctionVersion: Version }));
  }

  /** Adapts a function that an earlier release of the runtime has created. Waits for changes of other runtimes. */
  async #update(FunctionName: string, found: FunctionConfiguration, settings: FunctionSettings): Promise<void> {
    const { client } = this.options;
    if (found.State === 'Pending' || found.LastUpdateStatus === 'InProgress')
      await this.#waitUntilUpdated(FunctionName);
    const hasKey = found.Environment?.Variables?.[KEY_NAME] !== undefined;
    if (hasKey && SETTINGS.every((name) => found[name] === settings[name])) return;
    await client.send(new UpdateFunctionConfigurationCommand({ FunctionName, ...settings }));
    await this.#waitUntilUpdated(FunctionName);
  }

  async #waitUntilUpdated(FunctionName: string): Promise<void> {
    const { client } = this.options;
    await waitUntilFunctionActiveV2({ client, ...WAIT }, { FunctionName });
    await waitUntilFunctionUpdatedV2({ client, ...WAIT }, { FunctionName });
  }
}

type FunctionSettings = Pick<CreateFunctionCommandInput, (typeof SETTINGS)[number]> & {
  readonly Environment: { readonly Variables: Record<string, string> };
};

/** Apps with native code are built for the machine of the runtime. */
const ARCHITECTURES: Architecture[] = [process.arch === 'arm64' ? 'arm64' : 'x86_64'];

/** Another runtime has changed the function, or removed it. */
function isConflict(error: unknown): boolean {
  return (
    error instanceof ResourceConflictException ||
    error instanceof ResourceNotFoundException ||
    error instanceof PreconditionFailedException
  );
}

/** @returns undefined when AWS Lambda does not know the resource. */
async function orAbsent<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
