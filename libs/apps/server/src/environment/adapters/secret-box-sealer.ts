import { SecretBox, type SecretKey, variableContext } from '@homeport/platform/server/secrets';
import { VariableSealer } from '../application/variable-sealer.port';

/** Seals values with the keys of the configuration. */
export class SecretBoxSealer extends VariableSealer {
  readonly #box: SecretBox;

  /** @param keys newest first; at least one. */
  constructor(keys: readonly SecretKey[]) {
    super();
    this.#box = new SecretBox(keys);
  }

  override seal(
    value: string,
    { appId, name, scope }: { readonly appId: string; readonly name: string; readonly scope: string },
  ): Uint8Array {
    return this.#box.seal(value, variableContext(appId, name, scope));
  }
}
