import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { WRITE } from '../../base/solana/instruction.ts';
import { obligation as obligationLayout } from '../../protocol/klend/layout/obligation.ts';
import {
  type Reserve,
  type ReserveView,
  reserve as reserveLayout,
} from '../../protocol/klend/layout/reserve.ts';
import { type TokenAccount, tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import { accountRoles } from '../account-roles.ts';
import type { Build, BuildContext, WalletAccounts } from '../build.ts';
import { isWrappedSol } from '../wallet/token-accounts.ts';
import { existingAccount } from '../wallet/wallet-accounts.ts';
import type { LoanAddresses } from './loan-reports.ts';
import type { LoanOutcome, SimulationOutcome, TokenChange } from './simulation-outcome.ts';

const SOL_DECIMALS = 9;

/**
 * The accounts that an RPC simulation must return: written wallet accounts, and for a loan its
 * reserves.
 */
export function simulationAddresses(
  { wallet, instructions }: Build,
  { accounts, state }: BuildContext,
  loan: LoanAddresses | undefined,
): readonly Address[] {
  const { roles } = accountRoles(wallet, instructions);
  const isReserve = (address: Address) => loan && state.reserve(address) !== undefined;
  return [...roles.keys()].filter((address) => {
    const isWritten = ((roles.get(address) ?? 0) & WRITE) !== 0;
    return isWritten && (accounts.has(address) || isReserve(address));
  });
}

/**
 * Compares the accounts before and after. `lamports` include the fee, unlike in a local simulation.
 */
export function walletChangesOfSimulation(
  { wallet, plan }: Build,
  context: BuildContext,
  after: WalletAccounts,
): Pick<SimulationOutcome, 'tokens' | 'lamports'> {
  const changes = new Map<Address, bigint>();
  const add = (token: TokenAccount | undefined, sign: bigint) => {
    if (token?.owner !== wallet) return;
    changes.set(token.mint, (changes.get(token.mint) ?? 0n) + sign * token.amount);
  };
  for (const address of after.keys()) {
    add(tokenAt(address, { ...context, accounts: after }), 1n);
    add(tokenAt(address, context), -1n);
  }
  const tokens = [...changes].filter(([, change]) => change !== 0n);
  const lamportsIn = (accounts: WalletAccounts) => accounts.get(wallet)?.lamports ?? 0n;
  return {
    tokens: tokens.map(([mint, change]): TokenChange => {
      return { mint, decimals: decimalsOf(mint, { plan, state: context.state }), change };
    }),
    lamports: lamportsIn(after) - lamportsIn(context.accounts),
  };
}

export function loanOutcomeOfSimulation(
  { obligation }: LoanAddresses,
  context: BuildContext,
  after: WalletAccounts,
): LoanOutcome {
  const loanIn = (accounts: WalletAccounts) => {
    const account = existingAccount(obligation, { ...context, accounts });
    return account && obligationLayout.decode(account);
  };
  const reservesAfter = new Map<Address, Reserve>();
  for (const [address, account] of after) {
    if (account === undefined || !reserveLayout.matches(account)) continue;
    reservesAfter.set(address, reserveLayout.decode(account));
  }
  return { before: loanIn(context.accounts), after: loanIn(after), reservesAfter };
}

function tokenAt(address: Address, context: BuildContext): TokenAccount | undefined {
  const account = existingAccount(address, context);
  if (account === undefined || !tokenAccount.matches(account)) return undefined;
  return tokenAccount.decode(account);
}

/** Moved tokens are in the plan, except those expected not to change. */
function decimalsOf(
  mint: Address,
  { plan, state }: { readonly plan: Build['plan']; readonly state: ClusterReader },
): number {
  const moved = [...plan.pays, ...plan.receives].find((move) => move.mint === mint);
  if (moved !== undefined) return moved.decimals;
  if (isWrappedSol({ mint })) return SOL_DECIMALS;
  const shares = state.vaultOfShares(mint)?.fields.sharesMintDecimals;
  const token = state.vaults().find(({ fields }) => fields.tokenMint === mint);
  const decimals = shares ?? token?.fields.tokenMintDecimals ?? reserveDecimals(mint, state);
  if (decimals !== undefined) return Number(decimals);
  throw new CodedError('NOT_FOUND', { what: 'token', address: mint });
}

const reserveDecimals = (mint: Address, state: ClusterReader): bigint | undefined =>
  state
    .markets()
    .flatMap(({ address }) => state.reservesOf(address))
    .find(({ fields }) => fields.liquidity.mintPubkey === mint || isCollateral(mint, fields))
    ?.fields.liquidity.mintDecimals;

/** A cToken has the decimals of its token. */
const isCollateral = (mint: Address, { collateral }: ReserveView): boolean =>
  collateral.mintPubkey === mint;
