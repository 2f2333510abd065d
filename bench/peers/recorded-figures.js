// node bench/peers/recorded-figures.js RPC_URL MARKET LOAN VAULT SLOT: figures of the official SDK at a slot, as JSON.

import { KaminoMarket, KaminoVault, KaminoVaultClient } from '@kamino-finance/klend-sdk';
import { createSolanaRpc } from '@solana/kit';

const SLOT_MS = 400;

const [url, marketAddress, loanAddress, vaultAddress, slotText] = process.argv.slice(2);
const rpc = createSolanaRpc(url);
const slot = BigInt(slotText);
const market = await KaminoMarket.load(rpc, marketAddress, SLOT_MS);
const figures = {
  reserves: Object.fromEntries(market.getReserves().map(reserveFigures)),
  loan: await loanFigures(),
  vault: await vaultFigures(),
};
console.log(JSON.stringify(figures));
process.exit(0);

function reserveFigures(reserve) {
  const { referralFeeBps } = market.state;
  const { totalBorrow, totalSupply } = reserve.getEstimatedDebtAndSupply(slot, referralFeeBps);
  const factor = reserve.getMintFactor();
  return [
    reserve.address,
    {
      borrowApy: reserve.totalBorrowAPY(slot),
      supplyApy: reserve.totalSupplyAPY(slot),
      totalSupply: totalSupply.div(factor).toFixed(),
      totalBorrow: totalBorrow.div(factor).toFixed(),
      totalSupplyUsd: totalSupply.div(factor).mul(reserve.getOracleMarketPrice()).toFixed(),
      totalBorrowUsd: totalBorrow.div(factor).mul(reserve.getOracleMarketPrice()).toFixed(),
    },
  ];
}

async function loanFigures() {
  const loan = await market.getObligationByAddress(loanAddress);
  const { userTotalDeposit, userTotalBorrow, loanToValue } = loan.refreshedStats;
  return {
    deposit: userTotalDeposit.toFixed(),
    borrow: userTotalBorrow.toFixed(),
    loanToValue: loanToValue.toFixed(),
  };
}

async function vaultFigures() {
  const vault = new KaminoVault(rpc, vaultAddress, undefined, undefined, SLOT_MS);
  const state = await vault.getState();
  const client = new KaminoVaultClient(rpc, SLOT_MS);
  const reserves = await client.loadVaultReserves(state);
  const holdings = await client.getVaultHoldings(state, slot, reserves, slot);
  const shares = await client.getTokensPerShareSingleVault(state, slot, reserves, slot);
  const theoretical = await client.getVaultTheoreticalAPY(state, slot, reserves);
  const actual = await client.getVaultActualAPY(state, slot, reserves);
  return {
    apyTheoretical: theoretical.netAPY.toFixed(),
    apyActual: actual.netAPY.toFixed(),
    tokensAvailable: holdings.available.toFixed(),
    tokensInvested: holdings.invested.toFixed(),
    tokensPerShare: shares.toFixed(),
  };
}
