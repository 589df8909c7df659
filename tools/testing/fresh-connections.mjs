// Jest's environment for tests that call running programs.
import { TestEnvironment } from 'jest-environment-node';

/** Where Node.js keeps the connections of `fetch`. */
const CONNECTIONS = Symbol.for('undici.globalDispatcher.1');

// Loads the library behind `fetch`.
await fetch('data:,');

/**
 * Gives each test file new connections. A worker keeps those of `fetch` for the next file, and while that file loads,
 * servers close them unnoticed: its first request would fail with "other side closed".
 */
export default class FreshConnections extends TestEnvironment {
  async setup() {
    await super.setup();
    globalThis[CONNECTIONS] = new globalThis[CONNECTIONS].constructor();
  }
}
