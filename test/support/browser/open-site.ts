import type { Browser } from 'playwright-core';
import { startServer, waitUntilReady } from '../processes/run-tidegate.ts';
import type { OnEnd } from '../processes/test-scope.ts';
import { openBrowser } from './open-browser.ts';

/** A reserve and an amount for an operation that succeeds. */
export type DemoAction = { readonly reserve: string; readonly amount: string };

/** Addresses of the embedded cluster that the pages of a test show. */
export type Demo = {
  readonly market: string;
  readonly vault: string;
  readonly wallet: string;
  readonly obligation: string;
  readonly deposit: DemoAction;
  readonly borrow: DemoAction;
  readonly repay: DemoAction;
  readonly rpcUrl: string;
};

export type Site = {
  readonly url: string;
  readonly browser: Browser;
  readonly demo: Demo;
  /** Has the keys of the wallets. */
  readonly dataDir: string;
};

/** A server with a simulated day, and a browser for its pages. Both end with the scope. */
export async function openSite(onEnd: OnEnd): Promise<Site> {
  const [{ url, dataDir }, browser] = await Promise.all([startServer({}, onEnd), openBrowser()]);
  onEnd(() => void browser.close());
  await waitUntilReady(url);
  const { demo } = (await (await fetch(`${url}/status`)).json()) as { readonly demo: Demo };
  return { url, browser, demo, dataDir };
}
