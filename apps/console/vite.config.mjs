/** The build of the console; `npx vite` in this folder serves it from source beside a gateway at `GATEWAY_URL`. */
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { compressFolder } from './build/compress.mjs';

const virtualName = 'virtual:operations';

/** `virtual:operations`: the addresses of the contracts without the contracts. */
const operationsModule = () => ({
  name: 'tessera-operations',
  resolveId: (id) => (id === virtualName ? `\0${virtualName}` : undefined),
  load: async (id) => {
    if (id !== `\0${virtualName}`) return undefined;
    const { operations } = await import('./build/operations.mjs');
    return `export const operations = JSON.parse(${JSON.stringify(JSON.stringify(operations))});`;
  },
});

const otherLanguage =
  /\/react-(?:aria|aria-components|stately)\/.*\/intl\/.*\/(?!(?:en-US|de-DE|es-ES)\.)[a-z]{2}-[A-Z]{2}\.m?js$/;

/** React Aria brings its words in thirty languages; those that the console does not have are left out. */
const wordsOfOtherLanguages = () => ({
  name: 'tessera-languages',
  enforce: 'pre',
  load: (id) => (otherLanguage.test(id) ? 'export default {};' : undefined),
});

const compression = () => {
  let folder;
  return {
    name: 'tessera-compression',
    apply: 'build',
    configResolved: ({ build }) => void (folder = build.outDir),
    closeBundle: () => compressFolder(folder),
  };
};

const gatewayUrl = process.env.GATEWAY_URL ?? 'http://localhost:8080';

export default defineConfig({
  base: '/console/',
  plugins: [
    tanstackRouter({ target: 'react', autoCodeSplitting: true, routeFileIgnorePrefix: '-', quoteStyle: 'single' }),
    react(),
    operationsModule(),
    wordsOfOtherLanguages(),
    compression(),
  ],
  // Read from source: the contracts need not be built before.
  resolve: {
    alias: {
      '@tessera/contracts/record-files': fileURLToPath(
        new URL('../../libs/contracts/src/record-files/index.ts', import.meta.url),
      ),
    },
  },
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    manifest: true,
    license: { fileName: 'licences.md' },
    // An address of data would be refused for what is no picture, and the page would differ by size.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  server: {
    // What is not the console's own is the gateway's.
    proxy: { '^/(?!console/)': { target: gatewayUrl, changeOrigin: false } },
  },
});
