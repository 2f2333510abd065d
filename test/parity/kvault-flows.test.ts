import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Reserve, reserve as reserveAccount } from '#core/protocol/klend/layout/reserve.ts';
import { ctokenExchangeRate } from '#core/protocol/klend/math/exchange-rate.ts';
import { accrueReserveToSlot } from '#core/protocol/klend/operations/refresh/refresh-reserve.ts';
import {
  deposit,
  withdraw,
  withdrawFromAvailable,
} from '#core/protocol/kvault/instructions/shares.ts';
import { globalConfig } from '#core/protocol/kvault/layout/global-config.ts';
import { type VaultState, vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { depositToVault } from '#core/protocol/kvault/operations/deposit-to-vault.ts';
import { withdrawFromVault } from '#core/protocol/kvault/operations/withdraw.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { WRAPPED_SOL_MINT } from '#core/protocol/spl/programs.ts';
import { type GoldenAccount, type GoldenFlow, goldenFlow } from '../support/golden/golden.ts';
import { RECORDED_BUILD_RULES } from '../support/golden/recorded-build.ts';
import { fieldDifferences } from '../support/protocol/field-differences.ts';

const FLOWS = [
  '40-vault-deposit-usdc-and-stake.json',
  '41-vault-deposit-sol.json',
  '42-vault-withdraw-usdc-part.json',
  '43-vault-withdraw-usdc-all.json',
  '44-vault-withdraw-sol-part.json',
  '45-vault-withdraw-usdc-from-reserves.json',
  '46-vault-withdraw-sol-from-reserves.json',
  '47-vault-deposit-usdc-no-stake.json',
];

/** The token, cToken and share supply changes of a flow, by account. */
type Moves = Map<Address, bigint>;

/** The state of the replay. */
type Replay = {
  readonly vault: VaultState;
  readonly reserves: ReadonlyMap<Address, Reserve>;
  readonly moves: Moves;
};

test.each(FLOWS)('%s leaves the vault with the recorded bytes', (name) => {
  const flow = goldenFlow(name);
  const { vault } = replay(flow);
  const recorded = present(flow.after, vaultAddress(flow));
  expect(fieldDifferences(vaultState.body, [vault, vaultState.decode(recorded)])).toEqual([]);
  expect(bytesEqual(vaultState.encode(vault), recorded.data)).toBe(true);
  expect(bytesEqual(recorded.data, present(flow.before, vaultAddress(flow)).data)).toBe(false);
});

test.each(FLOWS)('%s moves the recorded tokens, cTokens and shares', (name) => {
  const flow = goldenFlow(name);
  const { moves } = replay(flow);
  expect(moves.size).toBeGreaterThan(1);
  for (const [address, amount] of moves) {
    expect([address, amountAt(flow.after, address) - amountAt(flow.before, address)]).toEqual([
      address,
      amount,
    ]);
  }
});

test('a deposit above the balance of the user does not fail in the vault program', () => {
  const flow = goldenFlow('94-refused-vault-deposit-too-much.json');
  const [call] = vaultCalls(flow);
  const { accounts } = deposit.decode(KVAULT_PROGRAM, found(call));
  const paid = replay(flow).moves.get(accounts.tokenVault) ?? 0n;
  expect(flow.err).toEqual({ InstructionError: [1, { Custom: 1 }] });
  expect(paid).toBeGreaterThan(amountAt(flow.before, accounts.userTokenAta));
});

function replay(flow: GoldenFlow): Replay {
  const start: Replay = {
    vault: vaultState.decode(present(flow.before, vaultAddress(flow))),
    reserves: refreshedReserves(flow),
    moves: new Map(),
  };
  return vaultCalls(flow).reduce((state, call) => replayCall(flow, state, call), start);
}

function replayCall(flow: GoldenFlow, state: Replay, call: Instruction): Replay {
  if (bytesEqual(call.data.subarray(0, 8), deposit.discriminator)) {
    return replayDeposit(flow, state, call);
  }
  const isPlain = bytesEqual(call.data.subarray(0, 8), withdrawFromAvailable.discriminator);
  return isPlain ? replayPlainWithdraw(flow, state, call) : replayWithdraw(flow, state, call);
}

function replayDeposit(flow: GoldenFlow, state: Replay, call: Instruction): Replay {
  const { accounts, args } = deposit.decode(KVAULT_PROGRAM, found(call));
  const effects = depositToVault(state.vault, contextOf(flow, state), args);
  const paid = effects.tokenToDeposit + effects.crankFundsToDeposit;
  const moves = moved(state.moves, [
    [accounts.tokenVault, paid],
    [accounts.sharesMint, effects.sharesToMint],
    ...unlessWrapped(accounts.tokenMint, accounts.userTokenAta, -paid),
  ]);
  return { ...state, vault: effects.vault, moves };
}

function replayPlainWithdraw(flow: GoldenFlow, state: Replay, call: Instruction): Replay {
  const { accounts, args } = withdrawFromAvailable.decode(KVAULT_PROGRAM, found(call));
  const effects = withdrawFromVault(state.vault, contextOf(flow, state), {
    shares: args.sharesAmount,
    sharesBalance: sharesAtHand(flow, accounts.userSharesAta),
    reserve: undefined,
    globalConfig: globalConfig.decode(present(flow.before, accounts.globalConfig)),
  });
  const moves = moved(state.moves, [
    [accounts.tokenVault, -effects.availableToSendToUser],
    [accounts.sharesMint, -effects.sharesToBurn],
    ...unlessWrapped(accounts.tokenMint, accounts.userTokenAta, effects.availableToSendToUser),
  ]);
  return { ...state, vault: effects.vault, moves };
}

function replayWithdraw(flow: GoldenFlow, state: Replay, call: Instruction): Replay {
  const { accounts, args } = withdraw.decode(KVAULT_PROGRAM, found(call));
  const burnedBefore = -(state.moves.get(accounts.sharesMint) ?? 0n);
  const effects = withdrawFromVault(state.vault, contextOf(flow, state), {
    shares: args.sharesAmount,
    sharesBalance: sharesAtHand(flow, accounts.userSharesAta) - burnedBefore,
    reserve: accounts.reserve,
    globalConfig: globalConfig.decode(present(flow.before, accounts.globalConfig)),
  });
  const released = effects.investedLiquidityToDisinvest;
  const sent = effects.availableToSendToUser + effects.investedLiquidityToSendToUser;
  const moves = moved(state.moves, [
    [accounts.tokenVault, released - sent],
    [accounts.sharesMint, -effects.sharesToBurn],
    [accounts.ctokenVault, -effects.investedToDisinvestCtokens],
    [accounts.reserveLiquiditySupply, -released],
    ...unlessWrapped(accounts.tokenMint, accounts.userTokenAta, sent),
  ]);
  const reserves = new Map(state.reserves);
  const reserve = reserves.get(accounts.reserve);
  if (reserve === undefined) throw new Error(`${accounts.reserve} is not a reserve of the vault`);
  reserves.set(accounts.reserve, redeemed(reserve, effects));
  return { vault: effects.vault, reserves, moves };
}

/** Flows also wrap and unwrap SOL, so a wrapped SOL account changes by more than the vault's part. */
const unlessWrapped = (
  tokenMint: Address,
  account: Address,
  amount: bigint,
): [Address, bigint][] => (tokenMint === WRAPPED_SOL_MINT ? [] : [[account, amount]]);

function redeemed(
  reserve: Reserve,
  effects: { investedToDisinvestCtokens: bigint; investedLiquidityToDisinvest: bigint },
): Reserve {
  const { liquidity, collateral } = reserve;
  const available = liquidity.totalAvailableAmount - effects.investedLiquidityToDisinvest;
  const supply = collateral.mintTotalSupply - effects.investedToDisinvestCtokens;
  return {
    ...reserve,
    liquidity: { ...liquidity, totalAvailableAmount: toLamports(available) },
    collateral: { ...collateral, mintTotalSupply: supply },
  };
}

/** The shares of the wallet plus those that the flow unstakes before the withdrawal. */
function sharesAtHand(flow: GoldenFlow, account: Address): bigint {
  const sharesMint = tokenAccount.decode(present(flow.before, account)).mint;
  const unstaked = [...flow.before].flatMap(([address, raw]) => {
    const isOther = raw !== undefined && address !== account && tokenAccount.matches(raw);
    if (!isOther || tokenAccount.decode(raw).mint !== sharesMint) return [];
    return [amountAt(flow.before, address) - amountAt(flow.after, address)];
  });
  return unstaked.reduce((sum, amount) => sum + amount, amountAt(flow.before, account));
}

function refreshedReserves(flow: GoldenFlow): ReadonlyMap<Address, Reserve> {
  const found = [...flow.before].flatMap(([address, raw]): [Address, Reserve][] =>
    raw !== undefined && reserveAccount.matches(raw) ? [[address, reserveAccount.decode(raw)]] : [],
  );
  return new Map(
    found.map(([address, reserve]) => {
      const market = lendingMarket.decode(present(flow.before, reserve.lendingMarket));
      const { lending: rules } = RECORDED_BUILD_RULES;
      return [address, accrueReserveToSlot(reserve, { market, time: flow.at, rules })];
    }),
  );
}

function contextOf(flow: GoldenFlow, { reserves }: Replay) {
  const exchanges = [...reserves].map(
    ([address, reserve]) => [address, ctokenExchangeRate(reserve)] as const,
  );
  const { vaults: rules } = RECORDED_BUILD_RULES;
  return { time: flow.at, exchanges: new Map(exchanges), rules };
}

function moved(moves: Moves, more: readonly [Address, bigint][]): Moves {
  const sums = new Map(moves);
  for (const [address, amount] of more) sums.set(address, (sums.get(address) ?? 0n) + amount);
  return sums;
}

const vaultCalls = ({ instructions }: GoldenFlow): Instruction[] =>
  instructions.filter(({ programAddress }) => programAddress === KVAULT_PROGRAM);

function vaultAddress(flow: GoldenFlow): Address {
  const address = [...flow.before].find(([, raw]) => raw !== undefined && vaultState.matches(raw));
  if (address === undefined) throw new Error(`${flow.name} has no vault`);
  return address[0];
}

const found = (call: Instruction | undefined) => ({
  data: call?.data ?? new Uint8Array(),
  accounts: call?.accounts.map(({ address }) => address) ?? [],
});

function present(
  accounts: ReadonlyMap<Address, GoldenAccount | undefined>,
  address: Address,
): GoldenAccount {
  const account = accounts.get(address);
  if (account === undefined) throw new Error(`${address} is missing`);
  return account;
}

/** The balance of a token account or the supply of a mint. 0 if it does not exist. */
function amountAt(
  accounts: ReadonlyMap<Address, GoldenAccount | undefined>,
  address: Address,
): bigint {
  const raw = accounts.get(address);
  if (raw === undefined) return 0n;
  return mint.matches(raw) ? mint.decode(raw).supply : tokenAccount.decode(raw).amount;
}
