import { defineConfig } from 'vite';
import { pagePaths } from './src/routing/page-paths.ts';

/** The server that `npm run dev` reads, and the folder of hashed files in the URL. */
const DEV_API = 'http://127.0.0.1:8080';
const ASSETS = 'explorer';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  cacheDir: '../../node_modules/.vite',
  build: {
    target: 'es2022',
    assetsDir: ASSETS,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // scripts/build-explorer.js writes the files
    write: false,
  },
  logLevel: 'warn',
  plugins: [
    {
      name: 'page-paths',
      generateBundle() {
        const source = JSON.stringify(Object.values(pagePaths));
        this.emitFile({ type: 'asset', fileName: 'page-paths.json', source });
      },
    },
    {
      name: 'dev-api',
      apply: 'serve',
      transformIndexHtml: (html) =>
        html.replace('name="tidegate-api" content=""', `name="tidegate-api" content="${DEV_API}"`),
    },
  ],
});
