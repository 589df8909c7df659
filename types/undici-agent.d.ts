/** The agent of undici 8.12. The package declares types only for its index. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
