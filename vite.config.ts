import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const server = process.env.KOTATSU_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: 'web',
  resolve: { alias: { $web: fileURLToPath(new URL('./web/src', import.meta.url)) } },
  plugins: [svelte({ configFile: false })],
  build: {
    outDir: '../src/kotatsu/server/site',
    emptyOutDir: true,
    target: 'es2022',
    // The page is served without inline data: the content policy allows only its own files.
    assetsInlineLimit: 0,
  },
  server: {
    fs: { allow: ['..'] },
    proxy: { '/api': { target: server, ws: true }, '/schema': server },
  },
  test: {
    root: '.',
    include: ['web/**/*.test.ts', 'src/kotatsu/games/*/web/**/*.test.ts'],
    // For what hangs, not for what is slow: on a busy machine everything is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
