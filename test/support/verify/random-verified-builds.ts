import fc from 'fast-check';
import type { ChainData, VerifiableRequest } from '#client/verify/index.ts';
import type { Address } from '#core/base/encoding/address.ts';
import { hasCode } from '#core/base/errors.ts';
import { formatUnits } from '#core/base/numbers/decimal.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
import { vaultWithdrawBuilder } from '#core/builders/vaults/vault-withdraw-builder.ts';
import { type BuildInputs, buildFromInputs } from '../builders/load-build-context.ts';
import { lendingBuilders } from '../flows/lending-flows.ts';
import { EXAMPLE_WALLET, exampleLending } from '../lending/example-lending.ts';
import { MARKET } from '../lending/lending-accounts.ts';
import { type RandomLoan, randomLoans } from '../random/random-loans.ts';
import { type RandomWithdrawal, randomWithdrawals } from '../random/random-withdrawals.ts';
import { EXAMPLE_VAULT, exampleVaultAccounts, HOLDER } from '../vaults/example-vault-accounts.ts';
import { chainDataFrom, type VerifiedBuild } from './verified-build.ts';

const INTENTS = ['deposit', 'borrow', 'repay', 'withdraw'] as const;

/** A build of any lending operation for a wallet in any state, exact or for everything. */
export const randomLendingBuilds = fc
  .record({ loan: randomLoans, intent: fc.constantFrom(...INTENTS), isAll: fc.boolean() })
  .map(({ loan, intent, isAll }) => ({
    loan,
    // without a loan only a deposit can be built
    intent: loan.wallet.loan === undefined ? ('deposit' as const) : intent,
    isAll,
  }));

type RandomLending = {
  readonly loan: RandomLoan;
  readonly intent: (typeof INTENTS)[number];
  readonly isAll: boolean;
};

/** Undefined if there is nothing to repay or to withdraw. */
export async function lendingBuildOf(random: RandomLending): Promise<VerifiedBuild | undefined> {
  const { loan, intent } = random;
  const isAll = random.isAll && (intent === 'repay' || intent === 'withdraw');
  const inputs = exampleLending(loan.wallet);
  const { address: reserve, fields } = loan.operationReserve;
  const addresses = { wallet: EXAMPLE_WALLET, market: MARKET, reserve };
  const amount = isAll ? 'all' : loan.amount;
  const build = orNothing(() =>
    buildFromInputs(lendingBuilders[intent], { ...addresses, amount }, inputs),
  );
  const text = formatUnits(loan.amount, Number(fields.liquidity.mintDecimals));
  const request: VerifiableRequest = {
    operation: `lend-${intent}`,
    ...addresses,
    amount: isAll ? 'U64::MAX' : text,
    // what stays wrapped because the wallet had wrapped SOL before has no other limit
    ...(intent === 'repay' && isAll ? { maxAmount: '2000' } : {}),
    ...(intent === 'withdraw' ? { maxLtv: '1000000000000000000000000000000' } : {}),
  };
  const chainData = await readFrom(inputs, request);
  if (intent === 'withdraw' && leavesOnlyDebts(chainData, reserve)) return undefined;
  return build && { ...build, name: intent, request, chainData };
}

/** No limit allows debts without collateral. */
const leavesOnlyDebts = ({ loan }: ChainData, reserve: Address): boolean =>
  loan != null && loan.borrows.length > 0 && loan.deposits.every((each) => each === reserve);

export { randomWithdrawals };

/** Undefined if nothing can be paid now. */
export async function withdrawalBuildOf(
  random: RandomWithdrawal,
): Promise<VerifiedBuild | undefined> {
  const { vault, shares, unstaked, staked } = random;
  const inputs = exampleVaultAccounts(vault);
  const build = orNothing(() =>
    buildFromInputs(vaultWithdrawBuilder, { wallet: HOLDER, vault: EXAMPLE_VAULT, shares }, inputs),
  );
  const decimals = vault.isSol === true ? 9 : 6;
  const request: VerifiableRequest = {
    operation: 'vault-withdraw',
    wallet: HOLDER,
    kvault: EXAMPLE_VAULT,
    amount: shares === 'all' ? 'U64::MAX' : formatUnits(shares, decimals),
    totalShares: formatUnits(unstaked + staked, decimals),
    // the vault may be illiquid
    mayBePartial: true,
  };
  const name = 'vault withdraw';
  return build && { ...build, name, request, chainData: await readFrom(inputs, request) };
}

/** A deposit into the vault of a random withdrawal. */
export async function vaultDepositBuildOf(
  { vault }: RandomWithdrawal,
  amount: bigint,
): Promise<VerifiedBuild> {
  const inputs = exampleVaultAccounts(vault);
  const build = buildFromInputs(
    vaultDepositBuilder,
    { wallet: HOLDER, vault: EXAMPLE_VAULT, amount },
    inputs,
  );
  const request: VerifiableRequest = {
    operation: 'vault-deposit',
    wallet: HOLDER,
    kvault: EXAMPLE_VAULT,
    amount: formatUnits(amount, vault.isSol === true ? 9 : 6),
    stake: true,
  };
  return { ...build, name: 'vault deposit', request, chainData: await readFrom(inputs, request) };
}

function orNothing<Value>(build: () => Value): Value | undefined {
  try {
    return build();
  } catch (error) {
    if (hasCode(error, 'NOTHING_TO_BUILD')) return undefined;
    throw error;
  }
}

const readFrom = ({ state, accounts }: BuildInputs, request: VerifiableRequest) =>
  chainDataFrom((address) => {
    const stored = state.reserve(address) ?? state.vault(address) ?? state.farm(address);
    return stored ? { owner: stored.program, data: stored.data } : accounts.get(address);
  }, request);
