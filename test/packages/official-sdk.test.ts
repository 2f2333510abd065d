import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startServer } from '../support/processes/run-tidegate.ts';

const run = promisify(execFile);
const peers = new URL('../../bench/peers/', import.meta.url);

/** Only the benchmarks install it. */
const isInstalled = existsSync(new URL('node_modules/@kamino-finance/klend-sdk', peers));

type Status = { readonly demo: { readonly rpcUrl: string; readonly market: string } };
type LoadedMarket = {
  readonly reserves: readonly { readonly address: string; readonly symbol: string }[];
};

test.skipIf(!isInstalled)('the official SDK loads a market of the embedded cluster', async () => {
  const { url } = await startServer();
  await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(200);
  const { demo } = (await (await fetch(`${url}/status`)).json()) as Status;
  const script = fileURLToPath(new URL('load-market.js', peers));
  const { stdout } = await run(process.execPath, [script, demo.rpcUrl, demo.market]);
  const { reserves } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as LoadedMarket;
  const response = await fetch(`${url}/svc-market/${demo.market}/reserves/metrics`);
  const served = (await response.json()) as { reserve: string; liquidityToken: string }[];
  const byAddress = (a: readonly string[], b: readonly string[]) => (`${a}` < `${b}` ? -1 : 1);
  expect(reserves.map(({ address, symbol }) => [address, symbol]).sort(byAddress)).toEqual(
    served.map(({ reserve, liquidityToken }) => [reserve, liquidityToken]).sort(byAddress),
  );
});
