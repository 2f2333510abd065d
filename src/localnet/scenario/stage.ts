import type { Address } from '../../base/address.ts';
import type { Logger } from '../../base/log.ts';
import { type ChainTime, type Slot, toSlot } from '../../base/time.ts';
import { CLOCK_ADDRESS } from '../../chain/clock-account.ts';
import { oraclePrices } from '../../protocol/scope/layout/oracle-prices.ts';
import { ClusterState } from '../../state/cluster-state.ts';
import { Bank } from '../bank.ts';
import { clockSysvar } from '../clock-sysvar.ts';
import { createDice, type Dice } from '../genesis/dice.ts';
import { factsOf, type GenesisFacts } from '../genesis/facts.ts';
import { listAccounts } from '../genesis/list-accounts.ts';
import { isStaked } from '../genesis/stake-pools.ts';
import { genesisTokens, TOKEN_SYMBOLS, type TokenSymbol } from '../genesis/tokens.ts';
import { marketMaker, walletAddresses } from '../genesis/wallets.ts';
import { foundWorld, type World } from '../genesis/world.ts';
import type { Executor } from '../transactions/executor.ts';
import { Transactions } from '../transactions/transactions.ts';
import { createPeople, type People } from './people.ts';
import { Player } from './player.ts';
import { priceLevel } from './price-year.ts';

export type StageFacts = {
  readonly seed: string;
  /** When the played time ends. */
  readonly until: ChainTime;
  /** How long it is. */
  readonly days: number;
  readonly executor: Executor;
  readonly log: Logger;
};

/** The cluster as admins made it, with people who have money and nothing else yet. */
export type Stage = {
  readonly world: World;
  readonly facts: GenesisFacts;
  readonly bank: Bank;
  readonly transactions: Transactions;
  readonly player: Player;
  readonly people: People;
  readonly dice: Dice;
  readonly until: ChainTime;
  /** Lets time pass and tells the oracle's prices of then. */
  moveTo(slot: Slot): void;
};

const LAMPORTS_PER_SOL = 1_000_000_000n;
const SLOTS_PER_HOUR = 9_000n;
const PPM = 1_000_000n;
const STABLE: readonly TokenSymbol[] = ['USDC', 'USDT', 'PYUSD'];

export function createStage({ seed, until, days, executor, log }: StageFacts): Stage {
  const world = foundWorld(seed, until, days);
  const facts = factsOf(world);
  const at = world.founded;
  const accounts = new Map(listAccounts({ ...world, at }, fund(world)));
  accounts.set(CLOCK_ADDRESS, clockSysvar(at));
  const bank = new Bank({ accounts, at });
  const transactions = new Transactions({ bank, executor, seed });
  const state = new ClusterState({ log });
  for (const [address, account] of accounts) state.apply({ address, account, slot: at.slot });
  state.setAt(at);
  const tables = new Map(facts.markets.map(({ address, lookupTable }) => [address, lookupTable]));
  const player = new Player({ bank, transactions, state, seed, tables });
  return {
    ...{ world, facts, bank, transactions, player, until },
    people: createPeople(seed),
    dice: createDice(`${seed}/year`),
    moveTo(slot) {
      player.waitUntil(toSlot(slot - 1n));
      tellPrices({ world, player, seed, until });
    },
  };
}

/** SOL for everybody who signs, and all other tokens for the market maker, from whom everybody buys. */
function fund({ keys, ledger }: World): ReadonlyMap<Address, bigint> {
  const maker = marketMaker(keys);
  for (const { mint, decimals, supply, symbol } of genesisTokens.values()) {
    if (symbol !== 'SOL') ledger.issue(ledger.of(maker, mint), supply * 10n ** BigInt(decimals));
  }
  const lamports = new Map(walletAddresses(keys).map((wallet) => [wallet, LAMPORTS_PER_SOL / 2n]));
  lamports.set(keys('admin'), 10_000n * LAMPORTS_PER_SOL);
  return lamports.set(maker, 5_000_000n * LAMPORTS_PER_SOL);
}

type Telling = {
  readonly world: World;
  readonly player: Player;
  readonly seed: string;
  readonly until: ChainTime;
};

function tellPrices({ world, player, seed, until }: Telling): void {
  const { oracle, keys } = world;
  const account = player.bank.account(oracle.prices);
  if (account === undefined) return;
  const { time } = player;
  const hoursBefore = until.slot > time.slot ? (until.slot - time.slot) / SLOTS_PER_HOUR : 0n;
  const prices = oracle.pricesAt(time, 0).map((entry, place) => {
    const symbol = TOKEN_SYMBOLS[place];
    if (symbol === undefined) return entry;
    const level = priceLevel({ symbol, kind: kindOf(symbol), seed }, hoursBefore);
    return { ...entry, price: { ...entry.price, value: (entry.price.value * level) / PPM } };
  });
  const data = oraclePrices.encode({ oracleMappings: keys('oracle mappings'), prices });
  player.write(oracle.prices, { ...account, data });
}

function kindOf(symbol: TokenSymbol) {
  if (isStaked(symbol)) return 'stake rate' as const;
  return STABLE.includes(symbol) ? ('stable' as const) : ('free' as const);
}
