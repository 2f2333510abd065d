import type { Address } from '../../base/address.ts';
import { floorSf, sfFromBits } from '../../base/fixed.ts';
import { toLamports } from '../../base/lamports.ts';
import { totalSupply } from '../../protocol/klend/math/supply.ts';
import { OBSOLETE } from '../../protocol/klend/operations/position.ts';
import type { ObligationKind } from '../../protocol/klend/pda.ts';
import { daysBefore } from './days-before.ts';
import { marketAddress, reserveAddress } from './market.ts';
import { type LoanPlan, planLoans, planSavings, type SavingPlan } from './plans.ts';
import { tokenOf } from './tokens.ts';
import { vaultAddress } from './vault.ts';
import { VAULTS } from './vault-specs.ts';
import { marketMaker, walletAddress } from './wallets.ts';
import type { World } from './world.ts';

/** Days on which something happened, before the cluster begins. */
const DAYS = [120, 90, 60, 30, 7, 1];
/** What is deposited on the last day waits to be invested. */
const LAST_DAY = 1;
const WINDING_UP_DAY = 7;
const HARVEST_DAY = 7;

/** Plays the months before the cluster begins and leaves everything refreshed at its first slot. */
export function playPast(world: World): void {
  const { dice, lending, saving, farming, at } = world;
  const loans = planLoans(dice);
  const savings = planSavings(dice);
  for (const day of DAYS) {
    const time = daysBefore(at, day);
    lending.moveTo({ time, prices: world.oracle.pricesAt(time, day) });
    for (const plan of savings) if (plan.day === day) save(world, plan);
    if (day !== LAST_DAY) for (const vault of saving.vaults.keys()) saving.invest(vault);
    for (const plan of loans) if (plan.day === day) takeLoan(world, plan);
    for (const plan of loans) if (plan.eased?.day === day) ease(world, plan, plan.eased.permille);
    if (day === WINDING_UP_DAY) windUp(world);
    if (day === HARVEST_DAY) harvest(world);
  }
  lending.moveTo({ time: at, prices: world.oracle.pricesAt(at, 0) });
  tightenLimit(world);
  lending.settle();
  saving.refreshAll();
  farming.refreshAll(at);
}

function save({ keys, lending, saving }: World, plan: SavingPlan): void {
  const symbol = VAULTS.find(({ key }) => key === plan.vault)?.symbol ?? 'USDC';
  const market = plan.vault === 'credit' ? 'bitcoin' : 'main';
  const amount = lending.worth(reserveAddress(keys, market, symbol), plan.dollars);
  saving.deposit(vaultAddress(keys, plan.vault), {
    wallet: walletAddress(keys, plan.wallet),
    amount,
    stakedPermille: plan.stakedPermille,
  });
}

function obligationOf({ keys, lending }: World, plan: LoanPlan): Address {
  return lending.open({
    ...kindOf(plan),
    owner: walletAddress(keys, plan.wallet),
    lendingMarket: marketAddress(keys, plan.market),
  });
}

function kindOf({ kind, deposits, borrows }: LoanPlan): ObligationKind {
  const collateralMint = tokenOf(deposits[0]?.[0] ?? 'SOL').mint;
  const debtMint = tokenOf(borrows[0]?.[0] ?? 'USDC').mint;
  switch (kind) {
    case 'vanilla':
      return { kind };
    case 'lending':
      return { kind, mint: collateralMint };
    case 'multiply':
    case 'leverage':
      return { kind, collateralMint, debtMint };
  }
}

function takeLoan(world: World, plan: LoanPlan): void {
  const { keys, lending } = world;
  const obligation = obligationOf(world, plan);
  for (const [symbol, dollars] of plan.deposits) {
    const reserve = reserveAddress(keys, plan.market, symbol);
    lending.deposit({ obligation, reserve, amount: lending.worth(reserve, dollars) });
  }
  if (plan.group !== undefined) lending.joinGroup(obligation, plan.group);
  const isSwapped = plan.kind === 'multiply' || plan.kind === 'leverage';
  const to = isSwapped ? marketMaker(keys) : walletAddress(keys, plan.wallet);
  for (const [symbol, permille] of plan.borrows) {
    const reserve = reserveAddress(keys, plan.market, symbol);
    lending.borrow({ obligation, reserve, permille, to });
  }
}

function ease(world: World, plan: LoanPlan, permille: bigint): void {
  const { keys, lending } = world;
  const obligation = obligationOf(world, plan);
  const debt = plan.borrows[0];
  const deposit = plan.deposits[0];
  const account = lending.obligations.get(obligation);
  if (debt !== undefined) {
    const reserve = reserveAddress(keys, plan.market, debt[0]);
    const owed = account?.borrows[0]?.borrowedAmountSf ?? sfFromBits(0n);
    lending.repay({ obligation, reserve, amount: (floorSf(owed) * permille) / 1_000n });
  } else if (deposit !== undefined) {
    const reserve = reserveAddress(keys, plan.market, deposit[0]);
    const held = account?.deposits[0]?.depositedAmount ?? 0n;
    lending.withdraw({ obligation, reserve, amount: (held * permille) / 1_000n });
  }
}

/** One reserve takes no more deposits and loans. */
function windUp({ keys, lending }: World): void {
  lending.configure(reserveAddress(keys, 'main', 'KMNO'), { status: OBSOLETE });
}

/** One stake in four is harvested. */
function harvest({ lending, farming }: World): void {
  for (const user of [...farming.users.values()].filter((_, i) => i % 4 === 0)) {
    const { owner, delegatee, farmState } = user;
    farming.harvest(farmState, { owner, delegatee }, lending.time);
  }
}

/** One reserve is left with room for a four-hundredth of its supply. */
function tightenLimit({ keys, lending }: World): void {
  const address = reserveAddress(keys, 'main', 'USDT');
  const supply = floorSf(totalSupply(lending.reserve(address).liquidity));
  lending.configure(address, { depositLimit: toLamports((supply * 401n) / 400n) });
}
