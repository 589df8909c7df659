import { setSourceMapsSupport } from 'node:module';

// Stack traces name our sources. Those of the libraries would fill 30 MiB for as long as the process lives.
setSourceMapsSupport(true, { nodeModules: false });
const { start } = await import('./start');
await start(process.env);
