import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = process.env.API_ORIGIN ?? 'http://127.0.0.1:8080';

/** Builds the console into dist/console. In development `/api` goes to a running server. */
export default defineConfig({
  root: here('console'),
  plugins: [react()],
  // The server replaces this by a fresh nonce on every page it serves; styles made at run time carry it too.
  html: { cspNonce: '__CSP_NONCE__' },
  build: { outDir: here('dist/console'), emptyOutDir: true, assetsInlineLimit: 0 },
  server: { proxy: { '/api': server } },
  preview: { proxy: { '/api': server } },
});
