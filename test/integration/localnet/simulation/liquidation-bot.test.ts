import { expect, test } from 'vitest';
import { parseDecimal } from '#core/base/numbers/decimal.ts';
import { obligation as obligationLayout } from '#core/protocol/klend/layout/obligation.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { marketAddress, reserveAddress } from '#localnet/genesis/accounts/market.ts';
import { createSeededKeys } from '#localnet/genesis/seed/seeded-keys.ts';
import { tokenBySymbol } from '#localnet/genesis/specs/token-specs.ts';
import { ensureBalance } from '#localnet/simulation/actions/ensure-balance.ts';
import {
  executeBorrow,
  executeDeposit,
  type LoanRef,
  loanAddress,
} from '#localnet/simulation/actions/lending-actions.ts';
import { tokensForUsd } from '#localnet/simulation/actions/loan-state.ts';
import { LiquidationBot } from '#localnet/simulation/liquidation-bot.ts';
import { createAgents } from '#localnet/simulation/setup/agents.ts';
import { clusterStateOf } from '#localnet/simulation/setup/simulation-setup.ts';
import { Simulator } from '#localnet/simulation/setup/simulator.ts';
import { silentLog } from '../../../support/fakes/silent-log.ts';
import { SIMULATION_END, simulateDays } from '../../../support/localnet/simulated-genesis.ts';

const SEED = 'liquidation';
const SLOT_MS = 400;
const SF = 2 ** 60;

/** A cluster with one loan: 1,000 USD of SOL lent, 500 USDC borrowed. */
function start() {
  const { cluster, metadata } = simulateDays(SEED, 0);
  const { bank } = cluster;
  const agents = createAgents(SEED);
  const keys = createSeededKeys(SEED);
  const state = clusterStateOf(cluster, silentLog);
  const simulator = new Simulator({ cluster, state, metadata });
  const market = marketAddress(keys, 'main');
  const [sol, usdc] = [reserveAddress(keys, 'main', 'SOL'), reserveAddress(keys, 'main', 'USDC')];
  const deposit = (loan: LoanRef, symbol: 'SOL' | 'USDC', usd: bigint) => {
    const reserve = symbol === 'SOL' ? sol : usdc;
    const amount = tokensForUsd(simulator, reserve, usd);
    const token = tokenBySymbol(symbol);
    ensureBalance(simulator, { owner: loan.owner, maker: agents.marketMaker }, { token, amount });
    return executeDeposit(simulator, loan, { reserve, amount });
  };
  const lender: LoanRef = { owner: agents.wallet(1), market, kind: { kind: 'vanilla' } };
  const borrower: LoanRef = { owner: agents.wallet(2), market, kind: { kind: 'vanilla' } };
  expect(deposit(lender, 'USDC', 100_000n).error).toBeUndefined();
  expect(deposit(borrower, 'SOL', 1_000n).error).toBeUndefined();
  const borrowed = executeBorrow(simulator, borrower, { reserve: usdc, amount: 500_000_000n });
  expect(borrowed.error).toBeUndefined();
  let ms = Number(SIMULATION_END.unix) * 1000;
  const localnet = new Localnet({
    cluster,
    now: () => ms,
    log: silentLog,
    liquidationBot: new LiquidationBot({ cluster, log: silentLog }),
  });
  const advanceSlots = (slots: number) => {
    for (let i = 0; i < slots; i++) {
      ms += SLOT_MS;
      localnet.tick();
    }
  };
  const loan = loanAddress(borrower);
  const solPrice = 1_000 / (Number(tokensForUsd(simulator, sol, 1_000n)) / 1e9);
  return { localnet, bank, sol, loan, solPrice, advanceSlots, marketMaker: agents.marketMaker };
}

type Started = ReturnType<typeof start>;

function debtOf({ bank, loan }: Started): number {
  const account = bank.account(loan);
  if (account === undefined) throw new Error('no loan');
  const { borrows } = obligationLayout.decode(account);
  return borrows.reduce((sum, borrow) => sum + Number(borrow.borrowedAmountSf) / SF / 1e6, 0);
}

/** Lets the price of SOL fall so that the loan has this loan-to-value. */
async function fallTo(cluster: Started, loanToValue: number): Promise<void> {
  const price = ((cluster.solPrice * 0.5) / loanToValue).toFixed(4);
  const landed = cluster.localnet.setPrice(cluster.sol, parseDecimal(price));
  cluster.advanceSlots(1);
  await landed;
}

const liquidations = ({ localnet, bank, loan, marketMaker }: Started) =>
  localnet.transactions.ledger
    .between(SIMULATION_END.slot, bank.slot)
    .filter(({ accounts }) => accounts[0]?.address === marketMaker.address)
    .filter(({ accounts }) => accounts.some(({ address }) => address === loan));

test('a loan at 0.865 of its collateral, unhealthy at 0.80, is liquidated within seconds', async () => {
  const cluster = start();
  const before = debtOf(cluster);
  await fallTo(cluster, 0.865);
  cluster.advanceSlots(25);
  const [first] = liquidations(cluster);
  expect(first?.error).toBeUndefined();
  expect(debtOf(cluster)).toBeLessThan(before * 0.95);
});

test('a loan is also liquidated if the price fell by nine tenths since its last refresh', async () => {
  const cluster = start();
  await fallTo(cluster, 5);
  cluster.advanceSlots(25);
  expect(liquidations(cluster).filter(({ error }) => error === undefined)).not.toEqual([]);
});

test('a healthy loan stays as it is', async () => {
  const cluster = start();
  await fallTo(cluster, 0.6);
  cluster.advanceSlots(50);
  expect(liquidations(cluster)).toEqual([]);
});

test('a bot that is switched off liquidates nothing until it is switched on', async () => {
  const cluster = start();
  cluster.localnet.setLiquidationBot(false);
  await fallTo(cluster, 0.865);
  cluster.advanceSlots(50);
  expect(liquidations(cluster)).toEqual([]);
  cluster.localnet.setLiquidationBot(true);
  cluster.advanceSlots(25);
  expect(liquidations(cluster)).toHaveLength(1);
});

test('a liquidation that the program rejects is not repeated in every check', async () => {
  const cluster = start();
  // without tokens to repay with
  const { mint, tokenProgram } = tokenBySymbol('USDC');
  const address = associatedTokenAddress(cluster.marketMaker.address, mint, tokenProgram);
  const account = cluster.bank.account(address);
  if (account === undefined) throw new Error('the market maker has no USDC');
  const data = account.data.slice();
  data.fill(0, 64, 72);
  cluster.bank.setAccount(address, { ...account, data });
  await fallTo(cluster, 0.865);
  cluster.advanceSlots(100);
  expect(liquidations(cluster).map(({ error }) => error === undefined)).toEqual([false]);
});
