import { type Address, type ClusterAccount, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { lendingMarketAuthority } from '@tidegate/core/protocol/klend';
import { reserve } from '@tidegate/core/protocol/klend/layout';
import { vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  rentExemptLamports,
  splInstructions,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@tidegate/core/protocol/spl';
import { mint as mintLayout, tokenAccount } from '@tidegate/core/protocol/spl/layout';
import {
  type Call,
  descendantsOf,
  type TokenBalance,
} from '@tidegate/core/protocol/spl/transaction';
import { CodedError } from '../errors/index.ts';
import type { ReadableTransaction } from './readable-transaction.ts';
import type { SlotState } from './slot-state.ts';

const NATIVE_RENT = toLamports(rentExemptLamports(tokenAccount.size));

/** A token account with the balance that the node recorded. It has no delegate and is not frozen. */
export function describedTokenAccount(
  { mint, owner, amount, tokenProgram }: TokenBalance,
  lamports: bigint,
): ClusterAccount | undefined {
  if (owner === undefined || tokenProgram === undefined) return undefined;
  const isNative = mint === WRAPPED_SOL_MINT;
  const data = tokenAccount.encode({
    mint,
    owner,
    amount,
    delegateTag: 0,
    delegate: ZERO_ADDRESS,
    state: 1,
    isNativeTag: isNative ? 1 : 0,
    isNative: isNative ? NATIVE_RENT : toLamports(0n),
    delegatedAmount: toLamports(0n),
    closeAuthorityTag: 0,
    closeAuthority: ZERO_ADDRESS,
    extensions: undefined,
  });
  return { owner: tokenProgram, lamports, data };
}

type DescribedMint = {
  readonly account: ClusterAccount;
  /** Whether the mint may have extensions that the transaction does not describe. */
  readonly assumption: 'mint' | undefined;
};

/** Of mints that nobody saw, half of what an account can hold: no instruction fails for the supply. */
const ANY_SUPPLY = 2n ** 63n;

/** A mint as the balances of the transaction and the reserves and vaults of the slot describe it. */
export function describedMint(
  address: Address,
  { transaction, lamportsBefore }: ReadableTransaction,
  state: SlotState,
): DescribedMint | undefined {
  const named = findNamedMint(address, transaction.accounts, state);
  const balances = [...transaction.preTokenBalances, ...transaction.postTokenBalances];
  const balance = balances.find(({ mint }) => mint === address);
  const decimals = balance?.decimals ?? named?.decimals;
  const owner = balance?.tokenProgram ?? named?.tokenProgram;
  if (decimals === undefined || owner === undefined) return undefined;
  const authority = named?.authority ?? recordedMinter(address, transaction.calls);
  const data = mintLayout.encode({
    mintAuthorityTag: authority === undefined ? 0 : 1,
    mintAuthority: authority ?? ZERO_ADDRESS,
    supply: toLamports(named?.supply ?? ANY_SUPPLY),
    decimals,
    isInitialized: 1,
    freezeAuthorityTag: 0,
    freezeAuthority: ZERO_ADDRESS,
    extensions: undefined,
  });
  const account = { owner, lamports: lamportsBefore.get(address) ?? 0n, data };
  return { account, assumption: owner === TOKEN_2022_PROGRAM ? 'mint' : undefined };
}

/** Who mints tokens in the transaction, which shows who may. */
function recordedMinter(mint: Address, calls: readonly Call[]): Address | undefined {
  const call = calls
    .flatMap((each) => [each, ...descendantsOf(each)])
    .find(({ program, accounts, data }) => {
      const name = accounts[0] === mint ? splInstructions(program)?.nameOf(data) : undefined;
      return name === 'mintTo' || name === 'mintToChecked';
    });
  return call?.accounts[MINTER];
}

/** After the mint and the account. */
const MINTER = 2;

type NamedMint = {
  readonly tokenProgram: Address;
  readonly decimals: number;
  /** Of cTokens and shares. */
  readonly authority?: Address;
  readonly supply?: bigint;
};

const WRAPPED_SOL: NamedMint = { tokenProgram: TOKEN_PROGRAM, decimals: 9 };

/** A mint that a reserve or a vault names: one of the transaction, or any that was seen. */
function findNamedMint(
  mint: Address,
  accounts: readonly { readonly address: Address }[],
  state: SlotState,
): NamedMint | undefined {
  if (mint === WRAPPED_SOL_MINT) return WRAPPED_SOL;
  for (const { address } of accounts) {
    const named = namedBy(mint, state.find(address));
    if (named !== undefined) return named;
  }
  for (const account of state.seenAccounts) {
    const named = namedBy(mint, account);
    if (named !== undefined) return named;
  }
  return undefined;
}

/** Whether the account is a reserve or a vault of one of the mints. */
export const namesMint = (account: ClusterAccount, mints: ReadonlySet<Address>): boolean =>
  [...mints].some((mint) => namedBy(mint, account) !== undefined);

function namedBy(mint: Address, account: ClusterAccount | undefined): NamedMint | undefined {
  if (account === undefined) return undefined;
  try {
    return mintOfReserve(mint, account) ?? mintOfVault(mint, account);
  } catch (error) {
    // an account of a version that the layout does not know names nothing
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}

function mintOfReserve(mint: Address, account: ClusterAccount): NamedMint | undefined {
  if (!reserve.matches(account)) return undefined;
  const { collateral, lendingMarket, liquidity } = reserve.view(account);
  const decimals = Number(liquidity.mintDecimals);
  if (liquidity.mintPubkey === mint) return { tokenProgram: liquidity.tokenProgram, decimals };
  if (collateral.mintPubkey !== mint) return undefined;
  const [authority, supply] = [lendingMarketAuthority(lendingMarket), collateral.mintTotalSupply];
  return { tokenProgram: TOKEN_PROGRAM, decimals, authority, supply };
}

function mintOfVault(mint: Address, account: ClusterAccount): NamedMint | undefined {
  if (!vaultState.matches(account)) return undefined;
  const vault = vaultState.view(account);
  if (vault.tokenMint === mint) {
    return { tokenProgram: vault.tokenProgram, decimals: Number(vault.tokenMintDecimals) };
  }
  if (vault.sharesMint !== mint) return undefined;
  const decimals = Number(vault.sharesMintDecimals);
  const [authority, supply] = [vault.baseVaultAuthority, vault.sharesIssued];
  return { tokenProgram: TOKEN_PROGRAM, decimals, authority, supply };
}
