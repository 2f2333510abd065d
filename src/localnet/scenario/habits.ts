import type { Address } from '../../base/address.ts';
import type { ObligationKind } from '../../protocol/klend/pda.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import { marketAddress, reserveAddress } from '../genesis/market.ts';
import type { MarketKey } from '../genesis/market-specs.ts';
import { type TokenSymbol, tokenOf } from '../genesis/tokens.ts';
import { vaultAddress } from '../genesis/vault.ts';
import { VAULTS, type VaultKey } from '../genesis/vault-specs.ts';
import {
  borrowFrom,
  debtOf,
  depositInto,
  joinGroup,
  type Loan,
  loanAddress,
  mostToBorrow,
  mostToWithdraw,
  repayTo,
  withdrawFrom,
} from './lending-acts.ts';
import { obligationAt, worth } from './loan-now.ts';
import { provide } from './provide.ts';
import { claimVault, giveShares, redeem, save, vaultAt } from './saving-acts.ts';
import type { Stage } from './stage.ts';
import { heldBy } from './token-acts.ts';
import { attempt, type Tally } from './trying.ts';

/** What somebody does again and again. */
export type Habit = (stage: Stage, wallet: number, tally: Tally) => void;

/** A loan of one deposit and one debt. */
export type LoanHabit = {
  readonly market: MarketKey;
  readonly kind: 'vanilla' | 'lending' | 'multiply' | 'leverage';
  readonly collateral: TokenSymbol;
  readonly debt?: TokenSymbol;
  readonly group?: number;
  /** Of one deposit. */
  readonly dollars: bigint;
  /** How much of what could be borrowed they like to owe, in thousandths. */
  readonly appetitePermille: bigint;
};

const THOUSAND = 1_000n;

/** Lends, borrows, repays and takes out, as the dice fall, around what they like to owe. */
export const lendingHabit =
  (habit: LoanHabit): Habit =>
  (stage, wallet, tally) => {
    const loan = loanOf(stage, wallet, habit);
    const isOpen = obligationAt(stage.player, loanAddress(loan)) !== undefined;
    const throwOf = stage.dice.between(0n, 99n);
    if (!isOpen || throwOf < 35n) add(stage, { habit, loan, tally });
    else if (habit.debt === undefined) takeOut(stage, { habit, loan, tally });
    else if (throwOf < 65n) owe(stage, { habit, loan, tally });
    else if (throwOf < 88n) payBack(stage, { habit, loan, tally });
    else takeOut(stage, { habit, loan, tally });
  };

type Doing = { readonly habit: LoanHabit; readonly loan: Loan; readonly tally: Tally };

function add({ player, people, dice, world }: Stage, { habit, loan, tally }: Doing): void {
  const reserve = reserveAddress(world.keys, habit.market, habit.collateral);
  const dollars = (habit.dollars * dice.between(300n, 1_700n)) / THOUSAND;
  const amount = worth(player, reserve, dollars);
  attempt(tally, () => {
    provide(
      player,
      { owner: loan.owner, maker: people.maker },
      { token: tokenOf(habit.collateral), amount },
    );
    return depositInto(player, loan, { reserve, amount });
  });
  const { group } = habit;
  const obligation = obligationAt(player, loanAddress(loan));
  if (group === undefined || obligation === undefined || obligation.elevationGroup === group)
    return;
  attempt(tally, () => joinGroup(player, loan, group));
}

function owe({ player, dice, world }: Stage, { habit, loan, tally }: Doing): void {
  const { debt } = habit;
  if (debt === undefined) return;
  const reserve = reserveAddress(world.keys, habit.market, debt);
  attempt(tally, () => {
    const most = mostToBorrow(player, loan, reserve);
    const owed = debtOf(player, loan, reserve);
    const wanted = ((most + owed) * habit.appetitePermille) / THOUSAND - owed;
    const amount = (wanted * dice.between(400n, 1_000n)) / THOUSAND;
    return amount > 0n ? borrowFrom(player, loan, { reserve, amount }) : undefined;
  });
}

function payBack({ player, people, dice, world }: Stage, { habit, loan, tally }: Doing): void {
  const { debt } = habit;
  if (debt === undefined) return;
  const reserve = reserveAddress(world.keys, habit.market, debt);
  attempt(tally, () => {
    const owed = debtOf(player, loan, reserve);
    if (owed === 0n) return undefined;
    const isAll = dice.between(0n, 9n) === 0n;
    const amount = isAll ? (owed * 1_001n) / THOUSAND : (owed * dice.between(50n, 500n)) / THOUSAND;
    provide(player, { owner: loan.owner, maker: people.maker }, { token: tokenOf(debt), amount });
    return repayTo(player, loan, { reserve, amount: isAll ? 'all' : amount });
  });
}

function takeOut({ player, dice, world }: Stage, { habit, loan, tally }: Doing): void {
  const reserve = reserveAddress(world.keys, habit.market, habit.collateral);
  attempt(tally, () => {
    const most = mostToWithdraw(player, loan, reserve);
    const amount = (most * dice.between(30n, 400n)) / THOUSAND;
    return amount > 0n ? withdrawFrom(player, loan, { reserve, amount }) : undefined;
  });
}

function loanOf({ people, world }: Stage, wallet: number, habit: LoanHabit): Loan {
  return {
    owner: people.wallet(wallet),
    market: marketAddress(world.keys, habit.market),
    kind: kindOf(habit),
  };
}

function kindOf({ kind, collateral, debt }: LoanHabit): ObligationKind {
  const collateralMint = tokenOf(collateral).mint;
  switch (kind) {
    case 'vanilla':
      return { kind };
    case 'lending':
      return { kind, mint: collateralMint };
    case 'multiply':
    case 'leverage':
      return { kind, collateralMint, debtMint: tokenOf(debt ?? 'USDC').mint };
  }
}

export type SavingHabit = { readonly vault: VaultKey; readonly dollars: bigint };

/** Saves, takes shares out again, claims rewards, and now and then hands shares to somebody else. */
export const savingHabit =
  ({ vault: key, dollars }: SavingHabit): Habit =>
  (stage, wallet, tally) => {
    const { player, people, dice, world } = stage;
    const vault = vaultAddress(world.keys, key);
    const savings = { owner: people.wallet(wallet), vault };
    const throwOf = dice.between(0n, 99n);
    if (throwOf < 55n) {
      attempt(tally, () => {
        const token = tokenOf(VAULTS.find((each) => each.key === key)?.symbol ?? 'USDC');
        const amount = saved(stage, vault, (dollars * dice.between(300n, 1_700n)) / THOUSAND);
        provide(player, { owner: savings.owner, maker: people.maker }, { token, amount });
        return save(player, savings, { amount, stake: dice.between(0n, 2n) > 0n });
      });
    } else if (throwOf < 80n) {
      attempt(tally, () =>
        redeem(player, savings, sharesOf(stage, savings.owner.address, vault) / 3n),
      );
    } else if (throwOf < 92n) {
      attempt(tally, () => claimVault(player, savings));
    } else {
      const to = people.wallet(Number(dice.between(0n, 99n))).address;
      attempt(tally, () => {
        const amount = sharesOf(stage, savings.owner.address, vault) / 5n;
        return amount > 0n && to !== savings.owner.address
          ? giveShares(player, savings, { to, amount })
          : undefined;
      });
    }
  };

/** Tokens of a vault for so many dollars, by a reserve that it is in. */
function saved({ player }: Stage, vault: Address, dollars: bigint): bigint {
  const fields = vaultAt(player, vault);
  const allocated = fields?.vaultAllocationStrategy.find(({ ctokenVault }) =>
    /[^1]/.test(ctokenVault),
  );
  return allocated === undefined ? 0n : worth(player, allocated.reserve, dollars);
}

function sharesOf({ player }: Stage, owner: Address, vault: Address): bigint {
  const fields = vaultAt(player, vault);
  if (fields === undefined) return 0n;
  const token = { mint: fields.sharesMint, decimals: 0, tokenProgram: TOKEN_PROGRAM };
  return heldBy(player, owner, token);
}
