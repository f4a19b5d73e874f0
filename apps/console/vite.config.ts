import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** A running service that the development server asks, and a session is made at. */
const service = process.env['IV_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/console/',
  // Every text of a page passes `src/look/text/jsx-runtime.ts`.
  plugins: [react({ jsxImportSource: '@insurance-verification/console/text' })],
  resolve: { conditions: ['@insurance-verification/source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    // The policy lets nothing load from a data: address, and nothing be written into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/console/api': service, '/favicon.ico': service } },
});
