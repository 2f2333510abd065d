import { u8, u32, u64 } from '@tidegate/core/base';
import {
  emittedOrderEvent,
  klendRejection,
  type LendingRules,
} from '@tidegate/core/protocol/klend';
import {
  obligationConfigModes,
  setBorrowOrder,
  type setBorrowOrderAccounts,
  setBorrowOrderV2,
  setObligationOrder,
  updateObligationConfig,
} from '@tidegate/core/protocol/klend/instructions';
import { obligation as obligationLayout } from '@tidegate/core/protocol/klend/layout';
import {
  type BorrowOrderConfig,
  setObligationConfig,
  setBorrowOrder as setOrder,
  setObligationOrder as setTrigger,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import { writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { emitEvent, requireEventAuthority } from '../framework/emit-event.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readObligation,
  readReserve,
  requireAddresses,
} from './lending-constraints.ts';
import { requireTokenAccount } from './token-accounts.ts';

/** Orders and settings that owners give their loans. */
export const orderHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(setObligationOrder, 12_000, ({ accounts, args: { index, ...order } }, call) => {
    const { owner, obligation: address, lendingMarket } = accounts;
    const context = loadMarketContext({ call, rules }, lendingMarket);
    const obligation = readObligation(call, address, { market: lendingMarket, owner });
    const fields = setTrigger(obligation, context, { index, order });
    writeAccount(call, obligationLayout, { address, fields });
  }),
  anchorHandler(setBorrowOrder, 25_000, ({ accounts, args }, call) => {
    runBorrowOrder({ call, rules }, accounts, { ...args, orderIdx: 0 });
  }),
  anchorHandler(setBorrowOrderV2, 25_000, ({ accounts, args }, call) => {
    runBorrowOrder({ call, rules }, accounts, args);
  }),
  anchorHandler(updateObligationConfig, 12_000, ({ accounts, args, list }, call) => {
    const mode = obligationConfigModes[args.mode];
    if (mode === undefined) throw anchorFailure(call, 'InstructionDidNotDeserialize');
    runConfigUpdate({ call, rules }, accounts, { mode, value: Uint8Array.from(list) });
  }),
];

type OrderAccounts = InstructionAccounts<typeof setBorrowOrderAccounts>;

type OrderArgs = Pick<
  BorrowOrderConfig,
  'remainingDebtAmount' | 'maxBorrowRateBps' | 'minDebtTermSeconds' | 'fillableUntilTimestamp'
> & {
  readonly orderIdx: number;
  readonly enableAutoRolloverOnFilledBorrows: number;
  readonly minExpectedCurrentRemainingDebtAmount: bigint;
};

function runBorrowOrder(lending: LendingCall, accounts: OrderAccounts, args: OrderArgs): void {
  const { call } = lending;
  const { owner, obligation: address, lendingMarket, filledDebtDestination } = accounts;
  const context = loadMarketContext(lending, lendingMarket);
  const obligation = readObligation(call, address, { market: lendingMarket, owner });
  const reserve = readReserve(call, accounts.reserve, { market: lendingMarket });
  requireAddresses(call, accounts, {
    debtLiquidityMint: reserve.liquidity.mintPubkey,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireTokenAccount(call, {
    slot: 'filledDebtDestination',
    address: filledDebtDestination,
    mint: accounts.debtLiquidityMint,
    owner,
  });
  requireEventAuthority(call, accounts.eventAuthority);
  const { orderIdx: index, minExpectedCurrentRemainingDebtAmount, ...config } = args;
  const isCancelled = Object.values(config).every((value) => BigInt(value) === 0n);
  const { debtLiquidityMint } = accounts;
  const { obligation: fields, change } = setOrder(obligation, context, {
    index,
    config: isCancelled ? undefined : { ...config, debtLiquidityMint, filledDebtDestination },
    reserve,
    minExpectedRemaining: minExpectedCurrentRemainingDebtAmount,
  });
  writeAccount(call, obligationLayout, { address, fields });
  if (change !== undefined) emitEvent(call, emittedOrderEvent(change));
}

type ConfigAccounts = InstructionAccounts<typeof updateObligationConfig.accounts>;

type ConfigUpdate = {
  readonly mode: (typeof obligationConfigModes)[number];
  readonly value: Uint8Array;
};

function runConfigUpdate(
  lending: LendingCall,
  accounts: ConfigAccounts,
  { mode, value }: ConfigUpdate,
): void {
  const { call } = lending;
  const { owner, obligation: address, lendingMarket, borrowReserve, depositReserve } = accounts;
  const context = loadMarketContext(lending, lendingMarket);
  const obligation = readObligation(call, address, { market: lendingMarket, owner });
  if (borrowReserve === undefined || depositReserve !== undefined) {
    throw klendRejection('InvalidObligationConfigUpdateSubject', 'the setting is one of a debt');
  }
  readReserve(call, borrowReserve, { market: lendingMarket, slot: 'borrowReserve' });
  const fields = setObligationConfig(obligation, context, {
    reserve: borrowReserve,
    mode,
    value: decodeValue(mode, value),
  });
  writeAccount(call, obligationLayout, { address, fields });
}

/** The value is as long as the field; a shorter one is rejected. */
function decodeValue(mode: ConfigUpdate['mode'], value: Uint8Array): bigint {
  const field = fieldOf(mode);
  if (value.length < field.size) {
    throw klendRejection('InvalidConfig', `the value has ${value.length} bytes`);
  }
  const view = new DataView(value.buffer, value.byteOffset, value.length);
  return BigInt(field.decode(view, 0));
}

function fieldOf(mode: ConfigUpdate['mode']) {
  if (mode === 'FixedTermRolloverMaxBorrowRateBps') return u32;
  return mode === 'FixedTermRolloverMinDebtTermSeconds' ? u64 : u8;
}
