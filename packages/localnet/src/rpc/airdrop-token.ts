import { type Address, type ClusterAccount, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import {
  associatedTokenAddress,
  rentExemptLamports,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@tidegate/core/protocol/spl';
import {
  type Extension,
  type Extensions,
  findExtension,
  type Mint,
  mint as mintLayout,
  type TokenAccount,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import { CodedError } from '../errors/index.ts';
import type { Bank } from '../runtime/bank.ts';

const INITIALIZED = 1;

export type TokenAirdrop = {
  readonly wallet: Address;
  readonly mint: Address;
  /** In base units. */
  readonly amount: bigint;
};

/**
 * Mints tokens in the open slot into the wallet's associated account, and creates the account if it
 * is missing. Wrapped SOL is funded with lamports instead.
 */
export function airdropToken(bank: Bank, { wallet, mint, amount }: TokenAirdrop): void {
  const mintAccount = bank.account(mint);
  if (mintAccount === undefined || !mintLayout.matches(mintAccount)) {
    throw new CodedError('NOT_FOUND', { what: 'mint', address: mint });
  }
  const mintFields = mintLayout.decode(mintAccount);
  const isNative = mint === WRAPPED_SOL_MINT;
  const address = associatedTokenAddress(wallet, mint, mintAccount.owner);
  const { account, fields } = loadOrCreateAccount(bank.account(address), mintFields, {
    wallet,
    mint,
    tokenProgram: mintAccount.owner,
  });
  const credited = { ...fields, amount: toLamports(fields.amount + amount) };
  const supply = toLamports(mintFields.supply + (isNative ? 0n : amount));
  bank.setAccount(address, {
    ...account,
    lamports: account.lamports + (isNative ? amount : 0n),
    data: tokenAccount.encode(credited),
  });
  if (!isNative) {
    bank.setAccount(mint, { ...mintAccount, data: mintLayout.encode({ ...mintFields, supply }) });
  }
}

type AccountOwner = {
  readonly wallet: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
};

type LoadedAccount = { readonly account: ClusterAccount; readonly fields: TokenAccount };

function loadOrCreateAccount(
  account: ClusterAccount | undefined,
  mintFields: Mint,
  owner: AccountOwner,
): LoadedAccount {
  if (account !== undefined && tokenAccount.matches(account)) {
    return { account, fields: tokenAccount.decode(account) };
  }
  const { wallet, mint, tokenProgram } = owner;
  const isNative = mint === WRAPPED_SOL_MINT;
  const extensions = tokenProgram === TOKEN_PROGRAM ? undefined : accountExtensions(mintFields);
  const fields = {
    mint,
    owner: wallet,
    amount: toLamports(0n),
    delegateTag: 0,
    delegate: ZERO_ADDRESS,
    state: findExtension(mintFields.extensions, 'defaultAccountState')?.value.state ?? INITIALIZED,
    isNativeTag: isNative ? 1 : 0,
    isNative: toLamports(isNative ? rentExemptLamports(tokenAccount.size) : 0n),
    delegatedAmount: toLamports(0n),
    closeAuthorityTag: 0,
    closeAuthority: ZERO_ADDRESS,
    extensions,
  };
  const data = tokenAccount.encode(fields);
  const rent = rentExemptLamports(data.length);
  // Existing lamports stay, and are wrapped too.
  const spare = account !== undefined && account.lamports > rent ? account.lamports - rent : 0n;
  return {
    account: { owner: tokenProgram, lamports: rent + spare, data },
    fields: { ...fields, amount: toLamports(isNative ? spare : 0n) },
  };
}

/** Extensions of an associated account of the mint. */
function accountExtensions({ extensions }: Mint): Extensions {
  const required = (extensions?.entries ?? []).flatMap(({ kind }): Extension[] => {
    switch (kind) {
      case 'transferFeeConfig':
        return [{ kind: 'transferFeeAmount', value: { withheldAmount: toLamports(0n) } }];
      case 'transferHook':
        return [{ kind: 'transferHookAccount', value: { transferring: 0 } }];
      case 'nonTransferable':
        return [{ kind: 'nonTransferableAccount', value: {} }];
      case 'pausableConfig':
        return [{ kind: 'pausableAccount', value: {} }];
      default:
        return [];
    }
  });
  return {
    entries: [{ kind: 'immutableOwner', value: {} }, ...required],
    rest: new Uint8Array(0),
  };
}
