// node bench/peers/load-market.js RPC_URL MARKET: prints a market as the official SDK loads it, as JSON.

import { KaminoMarket } from '@kamino-finance/klend-sdk';
import { createSolanaRpc } from '@solana/kit';

const SLOT_MS = 400;

const [url, address] = process.argv.slice(2);
const market = await KaminoMarket.load(createSolanaRpc(url), address, SLOT_MS);
const reserves = market.getReserves().map((reserve) => ({
  address: reserve.address,
  symbol: reserve.getTokenSymbol(),
  available: reserve.state.liquidity.totalAvailableAmount.toString(),
}));
console.log(JSON.stringify({ name: market.getName(), reserves }));
process.exit(0);
