import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import {
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
} from '#core/protocol/klend/instructions/borrows.ts';
import {
  COLLATERAL_FARM,
  DEBT_FARM,
  initObligation,
  initObligationFarmsForReserve,
  initUserMetadata,
  requestElevationGroup,
} from '#core/protocol/klend/instructions/obligations.ts';
import {
  refreshObligation,
  refreshObligationFarmsForReserve,
  refreshReserve,
} from '#core/protocol/klend/instructions/refresh.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import {
  lendingMarketAuthority,
  obligationSeeds,
  userMetadataAddress,
} from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { lookupTableAddress } from '#core/protocol/spl/lookup-tables.ts';
import { INSTRUCTIONS_SYSVAR, RENT_SYSVAR, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { type FlowContext, type LendingOperation, obligationKind } from './flow-context.ts';
import { amountArgument, type FlowInstructionBuilder } from './flow-lending-instructions.ts';

/** Another null address for oracles, in addition to the zero address. */
const NULL_ORACLE = toAddress('nu11111111111111111111111111111111111111111');

const present = (oracle: Address): Address | undefined =>
  oracle === ZERO_ADDRESS || oracle === NULL_ORACLE ? undefined : oracle;

/** The client chooses the refreshed reserves; the accounts follow from them. */
const refresh: FlowInstructionBuilder = (context, { instruction }) => {
  const { address, config } = context.reserveAt(instruction.accounts[0]?.address ?? ZERO_ADDRESS);
  const { pythConfiguration, switchboardConfiguration, scopeConfiguration } = config.tokenInfo;
  return refreshReserve.build(KLEND_PROGRAM, {
    accounts: {
      reserve: address,
      lendingMarket: context.market,
      pythOracle: present(pythConfiguration.price),
      switchboardPriceOracle: present(switchboardConfiguration.priceAggregator),
      switchboardTwapOracle: present(switchboardConfiguration.twapAggregator),
      scopePrices: present(scopeConfiguration.priceFeed),
    },
    args: {},
  });
};

const refreshPosition: FlowInstructionBuilder = (context) =>
  refreshObligation.build(KLEND_PROGRAM, {
    accounts: { lendingMarket: context.market, obligation: context.obligation },
    args: {},
    remaining: context.positions,
  });

const metadata: FlowInstructionBuilder = (context) =>
  initUserMetadata.build(KLEND_PROGRAM, {
    accounts: {
      owner: context.user,
      feePayer: context.user,
      userMetadata: userMetadataAddress(context.user),
      referrerUserMetadata: undefined,
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: { userLookupTable: lookupTableAddress(context.user, context.flow.at.slot).address },
  });

const newObligation: FlowInstructionBuilder = (context) => {
  const { coll, debt, obligation: requested } = context.parameters;
  const { tag, seed1, seed2 } = obligationSeeds(
    coll === undefined || debt === undefined
      ? obligationKind(requested ?? { tag: 0, id: 0 })
      : { kind: 'multiply', collateralMint: context.mint(coll), debtMint: context.mint(debt) },
  );
  return initObligation.build(KLEND_PROGRAM, {
    accounts: {
      obligationOwner: context.user,
      feePayer: context.user,
      obligation: context.obligation,
      lendingMarket: context.market,
      seed1Account: seed1,
      seed2Account: seed2,
      ownerUserMetadata: userMetadataAddress(context.user),
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: { tag, id: requested?.id ?? 0 },
  });
};

function operationFarm(context: FlowContext) {
  const operation = (['deposit', 'withdraw', 'borrow', 'repay'] satisfies LendingOperation[]).find(
    (name) => name === context.parameters.operation,
  );
  if (operation === undefined) throw new Error(`${context.flow.name} acts on no single farm`);
  const reserve = context.operationReserve(operation);
  const isDebt = operation === 'borrow' || operation === 'repay';
  const farm = isDebt ? reserve.farmDebt : reserve.farmCollateral;
  return {
    mode: isDebt ? DEBT_FARM : COLLATERAL_FARM,
    accounts: {
      obligation: context.obligation,
      lendingMarketAuthority: lendingMarketAuthority(context.market),
      reserve: reserve.address,
      reserveFarmState: farm,
      lendingMarket: context.market,
      farmsProgram: FARMS_PROGRAM,
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    userState: userStateAddress(farm, context.obligation),
  };
}

const newFarmUser: FlowInstructionBuilder = (context) => {
  const { mode, accounts, userState } = operationFarm(context);
  return initObligationFarmsForReserve.build(KLEND_PROGRAM, {
    accounts: { ...accounts, payer: context.user, owner: context.user, obligationFarm: userState },
    args: { mode },
  });
};

const refreshFarm: FlowInstructionBuilder = (context) => {
  const { mode, accounts, userState } = operationFarm(context);
  return refreshObligationFarmsForReserve.build(KLEND_PROGRAM, {
    accounts: { ...accounts, crank: context.user, obligationFarmUserState: userState },
    args: { mode },
  });
};

/** The elevation group of the obligation after the flow. */
const joinGroup: FlowInstructionBuilder = (context) => {
  const after = context.flow.after.get(context.obligation);
  if (after === undefined) throw new Error(`${context.flow.name} leaves no obligation`);
  return requestElevationGroup.build(KLEND_PROGRAM, {
    accounts: {
      owner: context.user,
      obligation: context.obligation,
      lendingMarket: context.market,
    },
    args: { elevationGroup: obligation.decode(after).elevationGroup },
    remaining: context.positions,
  });
};

/** Leverage is increased with borrowed collateral, and decreased with borrowed debt tokens. */
function flashAccounts(context: FlowContext) {
  const { coll, debt, symbol = '' } = context.parameters;
  const isIncrease = ['30-multiply-open', '31-multiply-more'].includes(context.flow.name);
  const { address, liquidity } = context.reserveOf((isIncrease ? coll : debt) ?? symbol);
  return {
    vault: liquidity.supplyVault,
    userToken: context.ata(liquidity.mintPubkey),
    accounts: {
      userTransferAuthority: context.user,
      lendingMarketAuthority: lendingMarketAuthority(context.market),
      lendingMarket: context.market,
      reserve: address,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveLiquidityFeeReceiver: liquidity.feeVault,
      referrerTokenState: undefined,
      referrerAccount: undefined,
      sysvarInfo: INSTRUCTIONS_SYSVAR,
      tokenProgram: liquidity.tokenProgram,
    },
  };
}

const flashBorrow: FlowInstructionBuilder = (context, recorded) => {
  const { accounts, vault, userToken } = flashAccounts(context);
  return flashBorrowReserveLiquidity.build(KLEND_PROGRAM, {
    accounts: { ...accounts, reserveSourceLiquidity: vault, userDestinationLiquidity: userToken },
    args: { liquidityAmount: context.amountOr(amountArgument(recorded, 'liquidityAmount')) },
  });
};

const flashRepay: FlowInstructionBuilder = (context, recorded) => {
  const { accounts, vault, userToken } = flashAccounts(context);
  const borrowInstructionIndex = recorded.before.findIndex(({ data }) =>
    bytesEqual(data.subarray(0, 8), flashBorrowReserveLiquidity.discriminator),
  );
  return flashRepayReserveLiquidity.build(KLEND_PROGRAM, {
    accounts: { ...accounts, reserveDestinationLiquidity: vault, userSourceLiquidity: userToken },
    args: {
      liquidityAmount: context.amountOr(amountArgument(recorded, 'liquidityAmount')),
      borrowInstructionIndex,
    },
  });
};

export const flowSetupInstructions: Readonly<Record<string, FlowInstructionBuilder>> = {
  refreshReserve: refresh,
  refreshObligation: refreshPosition,
  initUserMetadata: metadata,
  initObligation: newObligation,
  initObligationFarmsForReserve: newFarmUser,
  refreshObligationFarmsForReserve: refreshFarm,
  requestElevationGroup: joinGroup,
  flashBorrowReserveLiquidity: flashBorrow,
  flashRepayReserveLiquidity: flashRepay,
};
