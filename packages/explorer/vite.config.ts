import { defineConfig } from 'vite';

/** The server that the pages of `npm run dev` read. */
const API = 'http://127.0.0.1:8080';

/** For development only: `scripts/build-explorer.js` builds what the server serves. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  resolve: { alias: { '@tidegate/client': `${import.meta.dirname}/../client/src/index.ts` } },
  cacheDir: '../../node_modules/.vite',
  plugins: [
    {
      name: 'api-of-another-origin',
      transformIndexHtml: (html) =>
        html
          .replace('<base href="./" />', '<base href="/" />')
          .replace('name="tidegate-api" content=""', `name="tidegate-api" content="${API}"`),
    },
  ],
});
