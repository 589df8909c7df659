import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // Bundles the packages, so that "dist" needs no "node_modules".
  vite: { ssr: { noExternal: true } },
});
