import {
  type Address,
  type ClusterAccount,
  CodedError,
  toLamports,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
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
import type { Bank } from '../runtime/bank.ts';

const INITIALIZED = 1;

export type TokenAirdrop = {
  readonly wallet: Address;
  readonly mint: Address;
  /** In smallest units. */
  readonly amount: bigint;
};

/**
 * New tokens in the open slot, into the wallet's associated account, which is made if it is missing. Wrapped SOL is not
 * minted: its lamports come with it.
 */
export function airdropToken(bank: Bank, { wallet, mint, amount }: TokenAirdrop): void {
  const issuer = bank.account(mint);
  if (issuer === undefined || !mintLayout.matches(issuer)) {
    throw new CodedError('NOT_FOUND', { what: 'mint', address: mint });
  }
  const terms = mintLayout.decode(issuer);
  const isNative = mint === WRAPPED_SOL_MINT;
  const address = associatedTokenAddress(wallet, mint, issuer.owner);
  const { account, fields } = holderOf(bank.account(address), terms, {
    ...{ wallet, mint, tokenProgram: issuer.owner },
  });
  const held = { ...fields, amount: toLamports(fields.amount + amount) };
  const supply = toLamports(terms.supply + (isNative ? 0n : amount));
  bank.setAccount(address, {
    ...account,
    lamports: account.lamports + (isNative ? amount : 0n),
    data: tokenAccount.encode(held),
  });
  if (!isNative) {
    bank.setAccount(mint, { ...issuer, data: mintLayout.encode({ ...terms, supply }) });
  }
}

type Holder = {
  readonly wallet: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
};

type Held = { readonly account: ClusterAccount; readonly fields: TokenAccount };

function holderOf(account: ClusterAccount | undefined, terms: Mint, holder: Holder): Held {
  if (account !== undefined && tokenAccount.matches(account)) {
    return { account, fields: tokenAccount.decode(account) };
  }
  const { wallet, mint, tokenProgram } = holder;
  const isNative = mint === WRAPPED_SOL_MINT;
  const extensions = tokenProgram === TOKEN_PROGRAM ? undefined : accountExtensions(terms);
  const fields = {
    mint,
    owner: wallet,
    amount: toLamports(0n),
    delegateTag: 0,
    delegate: ZERO_ADDRESS,
    state: findExtension(terms.extensions, 'defaultAccountState')?.value.state ?? INITIALIZED,
    isNativeTag: isNative ? 1 : 0,
    isNative: toLamports(isNative ? rentExemptLamports(tokenAccount.size) : 0n),
    delegatedAmount: toLamports(0n),
    closeAuthorityTag: 0,
    closeAuthority: ZERO_ADDRESS,
    extensions,
  };
  const data = tokenAccount.encode(fields);
  const rent = rentExemptLamports(data.length);
  // what somebody has sent there before stays, and is wrapped with the rest
  const spare = account !== undefined && account.lamports > rent ? account.lamports - rent : 0n;
  return {
    account: { owner: tokenProgram, lamports: rent + spare, data },
    fields: { ...fields, amount: toLamports(isNative ? spare : 0n) },
  };
}

/** What the program gives to an associated account of that mint. */
function accountExtensions({ extensions }: Mint): Extensions {
  const asked = (extensions?.entries ?? []).flatMap(({ kind }): Extension[] => {
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
    entries: [{ kind: 'immutableOwner', value: {} }, ...asked],
    rest: new Uint8Array(0),
  };
}
