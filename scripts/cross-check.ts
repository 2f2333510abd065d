import { crossCheck } from '../test/support/cross-check/cross-check.ts';
import { readWalletAddress } from '../test/support/localnet/wallet-keys.ts';

/*
 * Checks identities between the operations of a running demo server, for all markets, vaults and demo wallets:
 * `npx tsx scripts/cross-check.ts http://127.0.0.1:8080 .tidegate`. The second argument is the data folder of the server.
 */

const WALLETS = 100;

const [url = 'http://127.0.0.1:8080', dataDir = '.tidegate'] = process.argv.slice(2);

const getJson = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();

const markets = (await getJson('/v2/svc-market')) as { lendingMarket: string }[];
const vaults = (await getJson('/kvaults/vaults')) as { address: string }[];
const { compared, exceptions } = await crossCheck(url, {
  markets: markets.map(({ lendingMarket }) => lendingMarket),
  vaults: vaults.map(({ address }) => address),
  wallets: Array.from({ length: WALLETS }, (_, index) => readWalletAddress(dataDir, index)),
});
for (const [identity, count] of compared) process.stdout.write(`${count} × ${identity}\n`);
for (const exception of exceptions) process.stdout.write(`${exception}\n`);
process.stdout.write(`${exceptions.length} exceptions\n`);
process.exitCode = exceptions.length === 0 ? 0 : 1;
