import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApiKeys, generateApiKey } from '#server/http/auth/api-keys.ts';
import { hasChromium, openBrowser } from '../support/browser/open-browser.ts';
import { goldenCluster } from '../support/golden/golden.ts';
import { goldenLoan } from '../support/golden/golden-addresses.ts';
import { startScriptedServer } from '../support/http/scripted-server.ts';
import { startApi } from '../support/http/test-api.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A page of an integrator, on an origin of its own. */
async function startPage(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: "export * from '@tidegate/client';", resolveDir: root },
    bundle: true,
    format: 'iife',
    globalName: 'tidegate',
    platform: 'browser',
    write: false,
  });
  const { url } = await startScriptedServer((request, response) => {
    const isScript = request.url === '/client.js';
    const type = isScript ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
    response.end(isScript ? outputFiles[0]?.text : '<script src="client.js"></script>');
  });
  return url;
}

describe.skipIf(!hasChromium)('the client in a browser', () => {
  test('a page of another origin reads data with a key and a slot, and gets typed errors', async () => {
    const { key, record } = generateApiKey('page', null, 0);
    const { url } = await startApi({ keys: createApiKeys([record]) });
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(await startPage());
    const { slot } = goldenCluster().at;
    const pubkey = goldenLoan('alice');
    const script = `(async () => {
      const client = tidegate.createClient({ baseUrl: '${url}', apiKey: '${key}' });
      const path = { pubkey: '${pubkey}' };
      const loan = await client.get('/klend/loans/{pubkey}', { path, minContextSlot: ${slot}n });
      const body = { wallet: path.pubkey, kvault: path.pubkey, amount: '1' };
      const build = await client.post('/ktx/kvault/deposit', { body });
      const other = await client.with({ apiKey: 'x' }).get('/v2/svc-market');
      const codes = [build.error?.code, other.error?.code];
      return { loan: loan.data?.loanId, slot: String(loan.freshness?.slot), codes };
    })()`;
    expect(await page.evaluate(script)).toEqual({
      loan: pubkey,
      slot: String(slot),
      codes: ['KVAULT_NOT_FOUND', 'UNKNOWN_API_KEY'],
    });
  });
});
