import type { Address } from '#core/base/encoding/address.ts';
import { formatUnits } from '#core/base/numbers/decimal.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { addSf, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { claimBuilder } from '#core/builders/claims/claim-builder.ts';
import { vaultExitPlanner } from '#core/builders/plans/exit-planner.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
import { vaultWithdrawBuilder } from '#core/builders/vaults/vault-withdraw-builder.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { TransactionPlan } from '../random/random-cluster.ts';
import { prepareInvestment } from '../random/random-maintenance-actions.ts';
import { BuildRun, type Visit } from './build-run.ts';
import { effectOf } from './transaction-effect.ts';
import { wireOf } from './verified-build.ts';

const UNIT = 1_000_000n;

/** Visits deposits, withdrawals, claims and exits of vaults, also one of a vault that can pay only a part. */
export async function visitVaultBuilds(visit: Visit): Promise<void> {
  const run = new BuildRun('vaults', visit);
  const vault = findVault(run);
  const { wallet } = run;
  const base = { wallet, vault: vault.address };
  const subject = { wallet, kvault: vault.address };
  const { tokenMint: mint } = vault.fields;
  run.cluster.fundWallet({ wallet, mint, amount: 100_000n * UNIT });
  run.cluster.advanceSlots();
  const deposit = (tokens: bigint) =>
    [vaultDepositBuilder, { ...base, amount: tokens * UNIT }] as const;
  const first = { operation: 'vault-deposit', ...subject, amount: '1000', stake: true } as const;
  await run.run(...deposit(1_000n), first);
  run.cluster.advanceWithMaintenance(20_000n);
  const withdraw = { operation: 'vault-withdraw', ...subject } as const;
  const shares = { ...withdraw, amount: '100' };
  await run.run(vaultWithdrawBuilder, { ...base, shares: 100n * UNIT }, shares);
  const tokens = { ...withdraw, amount: '100', unit: 'tokens', maxShares: '100.2' } as const;
  await run.run(vaultWithdrawBuilder, { ...base, tokens: 100n * UNIT }, tokens);
  const claim = { operation: 'farm-claim', ...subject } as const;
  await run.run(claimBuilder, base, claim);
  const all = { ...withdraw, amount: 'U64::MAX' };
  await run.run(vaultWithdrawBuilder, { ...base, shares: 'all' }, all);
  const exit = { operation: 'vault-exit', ...subject } as const;
  run.execute(run.build(...deposit(1_000n)), 'deposit');
  run.cluster.advanceWithMaintenance(20_000n);
  await run.runPlan(vaultExitPlanner, base, () => exit);
  run.execute(run.build(...deposit(50_000n)), 'deposit');
  investEverything(run, vault.address);
  lendOut(run, vault.address);
  await run.runPlan(vaultExitPlanner, base, (build) => {
    const redeemed = redeemedShares(run, build, vault.fields.sharesMint);
    if (redeemed === 0n || redeemed > 49_000n * UNIT) throw new Error('no partial exit');
    const minShares = formatUnits((redeemed * 998n) / 1_000n, 6);
    return { ...exit, mayBePartial: true, minShares };
  });
}

/** Shares that the transaction burns. */
function redeemedShares(
  { cluster, wallet }: BuildRun,
  build: TransactionPlan,
  mint: Address,
): bigint {
  const { changes } = effectOf(wireOf(build), { cluster, wallet });
  const ofShares = [...changes].filter(([key]) => key.endsWith(` ${mint}`));
  return -ofShares.reduce((sum, [, amount]) => sum + amount, 0n);
}

/** One with rewards, several reserves, and no limits for depositors. */
function findVault({ cluster: { state } }: BuildRun) {
  const vault = state.vaults().find(({ fields }) => {
    const isOpen = fields.permissioningAuthority === SYSTEM_PROGRAM && fields.depositCap === 0n;
    const rewards = state.farm(fields.vaultFarm)?.fields.numRewardTokens ?? 0n;
    return isOpen && rewards > 0n && fields.tokenMintDecimals === 6n;
  });
  if (vault === undefined) throw new Error('no vault');
  return vault;
}

const reservesOf = ({ cluster }: BuildRun, vault: Address): readonly Address[] =>
  (cluster.accountIndex.vault.get(vault)?.allocations ?? []).map(({ reserve }) => reserve);

function investEverything(run: BuildRun, address: Address): void {
  const { cluster, wallet } = run;
  for (const each of reservesOf(run, address)) {
    const vault = cluster.state.vaults().find((found) => found.address === address);
    const reserve = cluster.state.reserve(each);
    if (vault === undefined || reserve === undefined) continue;
    const { build } = prepareInvestment({ cluster, wallet, vault, reserve });
    cluster.run(cluster.sign(build, run.owner));
    cluster.advanceWithMaintenance(1_000n);
  }
}

/** Parts of a thousand that stay available in the reserves of the vault. */
const AVAILABLE = 1n;

/** Somebody borrows nearly everything from the reserves of the vault. */
function lendOut(run: BuildRun, vault: Address): void {
  const { bank } = run.cluster;
  for (const address of reservesOf(run, vault)) {
    const account = bank.account(address);
    if (account === undefined) continue;
    const fields = reserveLayout.decode(account);
    const { liquidity } = fields;
    const left = (liquidity.totalAvailableAmount * AVAILABLE) / 1_000n;
    const lent = liquidity.totalAvailableAmount - left;
    const supply = bank.account(liquidity.supplyVault);
    if (supply === undefined) throw new Error('no tokens');
    const tokens = tokenAccount.decode(supply);
    bank.setAccount(liquidity.supplyVault, {
      ...supply,
      data: tokenAccount.encode({ ...tokens, amount: toLamports(tokens.amount - lent) }),
    });
    bank.setAccount(address, {
      ...account,
      data: reserveLayout.encode({
        ...fields,
        liquidity: {
          ...liquidity,
          totalAvailableAmount: toLamports(left),
          borrowedAmountSf: addSf(liquidity.borrowedAmountSf, sfFromInt(lent)),
        },
      }),
    });
  }
  run.cluster.advanceWithMaintenance(10n);
}
