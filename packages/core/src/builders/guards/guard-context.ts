import { type Address, nonZeroAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { AnyDecodedInstruction } from '../../base/solana/instruction-set.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import { liquidateObligationAndRedeemReserveCollateralV2 } from '../../protocol/klend/instructions/liquidation.ts';
import { initObligation } from '../../protocol/klend/instructions/obligations.ts';
import { type ObligationView, obligation } from '../../protocol/klend/layout/obligation.ts';
import { userMetadata } from '../../protocol/klend/layout/user-metadata.ts';
import { userMetadataAddress } from '../../protocol/klend/pda.ts';
import { associatedTokenAddress } from '../../protocol/spl/associated-token.ts';
import { splInstructions } from '../../protocol/spl/instruction-set.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import type { BuildContext } from '../build.ts';

/** A decoded instruction with its accounts by name. An absent optional account is undefined. */
export type ProgramCall = AnyDecodedInstruction & { readonly program: Address };

/** The build and the accounts it read, as the account rules query them. */
export type GuardContext = {
  readonly wallet: Address;
  readonly state: ClusterReader;
  readonly calls: readonly ProgramCall[];
  /** Derives an address, cached for the build. */
  derive<Keys extends readonly Address[]>(
    derivation: (...keys: Keys) => Address,
    ...keys: Keys
  ): Address;
  /** The wallet's account of a token. */
  tokenAccount(mint: Address, tokenProgram: Address): Address;
  /** Undefined for an obligation of another wallet. */
  walletObligation(address: Address, program: Address): GuardedObligation | undefined;
  /** Also an obligation of another wallet that the build liquidates. */
  refreshedObligation(address: Address, program: Address): GuardedObligation | undefined;
  isWalletFarmUser(address: Address, farm: Address): boolean;
  /** Whether the lending, vault or farms program uses the account. */
  isUsed(address: Address): boolean;
};

type GuardedObligation = {
  readonly owner: Address;
  readonly lendingMarket: Address;
  /** Undefined without a referrer. */
  readonly referrer: Address | undefined;
};

type DecodedBuild = { readonly wallet: Address; readonly calls: readonly ProgramCall[] };

export function createGuardContext(
  { wallet, calls }: DecodedBuild,
  { state, accounts, walletMetadata }: BuildContext,
): GuardContext {
  const derive = cachingDerive();
  const used = new Set(calls.filter(isProtocolCall).flatMap(accountsOf));

  function walletObligation(address: Address, program: Address): GuardedObligation | undefined {
    const created = calls.find((call) => createsObligation(call, address, program));
    if (created !== undefined) {
      const lendingMarket = created.accounts['lendingMarket'] ?? ZERO_ADDRESS;
      return { owner: wallet, lendingMarket, referrer: referrerOfWallet(program) };
    }
    const fields = readObligation(address, program);
    return fields?.owner === wallet ? guardedOf(fields) : undefined;
  }

  function refreshedObligation(address: Address, program: Address): GuardedObligation | undefined {
    const own = walletObligation(address, program);
    if (own !== undefined || !calls.some((call) => liquidates(call, address, program))) return own;
    const fields = readObligation(address, program);
    return fields && guardedOf(fields);
  }

  /** An account that was read is newer than the state. */
  function readObligation(address: Address, program: Address): ObligationView | undefined {
    if (accounts.has(address)) {
      const account = accounts.get(address);
      const isObligation = account?.owner === program && obligation.matches(account);
      return isObligation ? obligation.view(account) : undefined;
    }
    const stored = state.obligation(address);
    return stored?.program === program ? stored.fields : undefined;
  }

  function referrerOfWallet(program: Address): Address | undefined {
    const account = accounts.get(derive(userMetadataAddress, wallet, program));
    if (account === undefined) return walletMetadata?.referrer;
    return userMetadata.matches(account)
      ? nonZeroAddress(userMetadata.view(account).referrer)
      : undefined;
  }

  function isWalletFarmUser(address: Address, farm: Address): boolean {
    if (address === derive(userStateAddress, farm, wallet)) return true;
    const account = accounts.get(address);
    if (account !== undefined) {
      const fields = userState.matches(account) ? userState.view(account) : undefined;
      return fields?.owner === wallet && fields.farmState === farm;
    }
    const stored = state.farmUsersOf(wallet).find((user) => user.address === address);
    return stored?.fields.farmState === farm;
  }

  return {
    wallet,
    state,
    calls,
    derive,
    tokenAccount: (mint, tokenProgram) =>
      derive(associatedTokenAddress, wallet, mint, tokenProgram),
    walletObligation,
    refreshedObligation,
    isWalletFarmUser,
    isUsed: (address) => used.has(address),
  };
}

const isProtocolCall = ({ program }: ProgramCall): boolean =>
  splInstructions(program) === undefined;

const accountsOf = ({ accounts }: ProgramCall): Address[] =>
  Object.values(accounts).filter((address) => address !== undefined);

const createsObligation = (call: ProgramCall, address: Address, program: Address): boolean =>
  call.name === initObligation.name &&
  call.program === program &&
  call.accounts['obligation'] === address;

const liquidates = (call: ProgramCall, address: Address, program: Address): boolean =>
  call.name === liquidateObligationAndRedeemReserveCollateralV2.name &&
  call.program === program &&
  call.accounts['obligation'] === address;

const guardedOf = (fields: ObligationView): GuardedObligation => ({
  owner: fields.owner,
  lendingMarket: fields.lendingMarket,
  referrer: nonZeroAddress(fields.referrer),
});

function cachingDerive(): GuardContext['derive'] {
  const cache = new Map<unknown, Map<string, Address>>();
  return (derivation, ...keys) => {
    const addresses = cache.get(derivation) ?? new Map<string, Address>();
    cache.set(derivation, addresses);
    const key = keys.join();
    const address = addresses.get(key) ?? derivation(...keys);
    addresses.set(key, address);
    return address;
  };
}
