import { type Address, nonZeroAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import type { AnyDecodedInstruction } from '../../base/solana/instruction-set.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import { initObligation } from '../../protocol/klend/instructions/init-obligation.ts';
import { type ObligationView, obligation } from '../../protocol/klend/layout/obligation.ts';
import { userMetadata } from '../../protocol/klend/layout/user-metadata.ts';
import { userMetadataAddress } from '../../protocol/klend/pda.ts';
import { associatedTokenAddress } from '../../protocol/spl/associated-token.ts';
import { splInstructions } from '../../protocol/spl/instruction-set.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import type { BuildContext } from '../build.ts';

/** One instruction of a build, its accounts by name. An optional one that is absent is undefined. */
export type ProgramCall = AnyDecodedInstruction & { readonly program: Address };

/** What the rules for an account may ask about the whole build and what was read for it. */
export type GuardContext = {
  readonly wallet: Address;
  readonly state: ClusterReader;
  readonly calls: readonly ProgramCall[];
  /** Derives an address, once for the whole build. */
  derive<Keys extends readonly Address[]>(how: (...keys: Keys) => Address, ...keys: Keys): Address;
  /** The wallet's own account of a token. */
  tokenAccount(mint: Address, tokenProgram: Address): Address;
  /** Undefined for anybody else's. */
  ownObligation(address: Address, program: Address): OwnObligation | undefined;
  isOwnFarmUser(address: Address, farm: Address): boolean;
  /** Whether the lending, vault or farms program is given the account. */
  isUsed(address: Address): boolean;
};

type OwnObligation = {
  readonly lendingMarket: Address;
  /** Undefined for none. */
  readonly referrer: Address | undefined;
};

type Built = { readonly wallet: Address; readonly calls: readonly ProgramCall[] };

export function createGuardContext({ wallet, calls }: Built, scene: BuildContext): GuardContext {
  const { state, accounts } = scene;
  const derive = rememberingDerive();
  const used = new Set(calls.filter(isOfProtocol).flatMap(accountsOf));

  function ownObligation(address: Address, program: Address): OwnObligation | undefined {
    const made = calls.find((call) => isMade(call, address, program));
    if (made !== undefined) {
      const lendingMarket = made.accounts['lendingMarket'] ?? ZERO_ADDRESS;
      return { lendingMarket, referrer: referrerOfWallet(program) };
    }
    const fields = readObligation(address, program);
    if (fields?.owner !== wallet) return undefined;
    return { lendingMarket: fields.lendingMarket, referrer: nonZeroAddress(fields.referrer) };
  }

  /** What was read for the build is newer than state. */
  function readObligation(address: Address, program: Address): ObligationView | undefined {
    if (accounts.has(address)) {
      const account = accounts.get(address);
      const isOne = account?.owner === program && obligation.matches(account);
      return isOne ? obligation.view(account) : undefined;
    }
    const held = state.obligation(address);
    return held?.program === program ? held.fields : undefined;
  }

  function referrerOfWallet(program: Address): Address | undefined {
    const account = accounts.get(derive(userMetadataAddress, wallet, program));
    if (account === undefined) return scene.facts?.referrer;
    return userMetadata.matches(account)
      ? nonZeroAddress(userMetadata.view(account).referrer)
      : undefined;
  }

  function isOwnFarmUser(address: Address, farm: Address): boolean {
    if (address === derive(userStateAddress, farm, wallet)) return true;
    const account = accounts.get(address);
    if (account !== undefined) {
      const fields = userState.matches(account) ? userState.view(account) : undefined;
      return fields?.owner === wallet && fields.farmState === farm;
    }
    const held = state.farmUsersOf(wallet).find((user) => user.address === address);
    return held?.fields.farmState === farm;
  }

  return {
    wallet,
    state,
    calls,
    derive,
    tokenAccount: (mint, tokenProgram) =>
      derive(associatedTokenAddress, wallet, mint, tokenProgram),
    ownObligation,
    isOwnFarmUser,
    isUsed: (address) => used.has(address),
  };
}

const isOfProtocol = ({ program }: ProgramCall): boolean => splInstructions(program) === undefined;

const accountsOf = ({ accounts }: ProgramCall): Address[] =>
  Object.values(accounts).filter((address) => address !== undefined);

const isMade = (call: ProgramCall, address: Address, program: Address): boolean =>
  call.name === initObligation.name &&
  call.program === program &&
  call.accounts['obligation'] === address;

function rememberingDerive(): GuardContext['derive'] {
  const known = new Map<unknown, Map<string, Address>>();
  return (how, ...keys) => {
    const ofKind = known.get(how) ?? new Map<string, Address>();
    known.set(how, ofKind);
    const place = keys.join();
    const address = ofKind.get(place) ?? how(...keys);
    ofKind.set(place, address);
    return address;
  };
}
