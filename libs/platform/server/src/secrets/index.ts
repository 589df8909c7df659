export {
  acmeAccountContext,
  certificateContext,
  parseSecretKey,
  SecretBox,
  SecretUnreadable,
  variableContext,
} from './secret-box';
export type { SecretKey } from './secret-box';
