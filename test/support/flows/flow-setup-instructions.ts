import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { flashBorrowReserveLiquidity } from '#core/protocol/klend/instructions/flash-borrow-reserve-liquidity.ts';
import { flashRepayReserveLiquidity } from '#core/protocol/klend/instructions/flash-repay-reserve-liquidity.ts';
import { initObligation } from '#core/protocol/klend/instructions/init-obligation.ts';
import {
  COLLATERAL_FARM,
  DEBT_FARM,
  initObligationFarmsForReserve,
} from '#core/protocol/klend/instructions/init-obligation-farms-for-reserve.ts';
import { initUserMetadata } from '#core/protocol/klend/instructions/init-user-metadata.ts';
import { refreshObligation } from '#core/protocol/klend/instructions/refresh-obligation.ts';
import { refreshObligationFarmsForReserve } from '#core/protocol/klend/instructions/refresh-obligation-farms-for-reserve.ts';
import { refreshReserve } from '#core/protocol/klend/instructions/refresh-reserve.ts';
import { requestElevationGroup } from '#core/protocol/klend/instructions/request-elevation-group.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import {
  lendingMarketAuthority,
  obligationSeeds,
  userMetadataAddress,
} from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { lookupTableAddress } from '#core/protocol/spl/lookup-table-address.ts';
import { INSTRUCTIONS_SYSVAR, RENT_SYSVAR, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { type FlowContext, type LendingOperation, obligationKind } from './flow-context.ts';
import { amountArgument, type FlowInstructionBuilder } from './flow-lending-instructions.ts';

/** A second word for "no oracle", beside the zero address. */
const NULL_ORACLE = toAddress('nu11111111111111111111111111111111111111111');

const present = (oracle: Address): Address | undefined =>
  oracle === ZERO_ADDRESS || oracle === NULL_ORACLE ? undefined : oracle;

/** Which reserves are refreshed is the client's choice; all that follows from it is resolved. */
const refresh: FlowInstructionBuilder = (scene, { instruction }) => {
  const { address, config } = scene.reserveAt(instruction.accounts[0]?.address ?? ZERO_ADDRESS);
  const { pythConfiguration, switchboardConfiguration, scopeConfiguration } = config.tokenInfo;
  return refreshReserve.build(KLEND_PROGRAM, {
    accounts: {
      reserve: address,
      lendingMarket: scene.market,
      pythOracle: present(pythConfiguration.price),
      switchboardPriceOracle: present(switchboardConfiguration.priceAggregator),
      switchboardTwapOracle: present(switchboardConfiguration.twapAggregator),
      scopePrices: present(scopeConfiguration.priceFeed),
    },
    args: {},
  });
};

const refreshPosition: FlowInstructionBuilder = (scene) =>
  refreshObligation.build(KLEND_PROGRAM, {
    accounts: { lendingMarket: scene.market, obligation: scene.obligation },
    args: {},
    remaining: scene.positions,
  });

const metadata: FlowInstructionBuilder = (scene) =>
  initUserMetadata.build(KLEND_PROGRAM, {
    accounts: {
      owner: scene.user,
      feePayer: scene.user,
      userMetadata: userMetadataAddress(scene.user),
      referrerUserMetadata: undefined,
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: { userLookupTable: lookupTableAddress(scene.user, scene.flow.at.slot).address },
  });

const newObligation: FlowInstructionBuilder = (scene) => {
  const { coll, debt, obligation: asked } = scene.parameters;
  const { tag, seed1, seed2 } = obligationSeeds(
    coll === undefined || debt === undefined
      ? obligationKind(asked ?? { tag: 0, id: 0 })
      : { kind: 'multiply', collateralMint: scene.mint(coll), debtMint: scene.mint(debt) },
  );
  return initObligation.build(KLEND_PROGRAM, {
    accounts: {
      obligationOwner: scene.user,
      feePayer: scene.user,
      obligation: scene.obligation,
      lendingMarket: scene.market,
      seed1Account: seed1,
      seed2Account: seed2,
      ownerUserMetadata: userMetadataAddress(scene.user),
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: { tag, id: asked?.id ?? 0 },
  });
};

function actedFarm(scene: FlowContext) {
  const side = (['deposit', 'withdraw', 'borrow', 'repay'] satisfies LendingOperation[]).find(
    (name) => name === scene.parameters.operation,
  );
  if (side === undefined) throw new Error(`${scene.flow.name} acts on no single farm`);
  const reserve = scene.operationReserve(side);
  const ofDebt = side === 'borrow' || side === 'repay';
  const farm = ofDebt ? reserve.farmDebt : reserve.farmCollateral;
  return {
    mode: ofDebt ? DEBT_FARM : COLLATERAL_FARM,
    accounts: {
      obligation: scene.obligation,
      lendingMarketAuthority: lendingMarketAuthority(scene.market),
      reserve: reserve.address,
      reserveFarmState: farm,
      lendingMarket: scene.market,
      farmsProgram: FARMS_PROGRAM,
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    userState: userStateAddress(farm, scene.obligation),
  };
}

const newFarmUser: FlowInstructionBuilder = (scene) => {
  const { mode, accounts, userState } = actedFarm(scene);
  return initObligationFarmsForReserve.build(KLEND_PROGRAM, {
    accounts: { ...accounts, payer: scene.user, owner: scene.user, obligationFarm: userState },
    args: { mode },
  });
};

const refreshFarm: FlowInstructionBuilder = (scene) => {
  const { mode, accounts, userState } = actedFarm(scene);
  return refreshObligationFarmsForReserve.build(KLEND_PROGRAM, {
    accounts: { ...accounts, crank: scene.user, obligationFarmUserState: userState },
    args: { mode },
  });
};

/** The group that the obligation is in at the end. */
const joinGroup: FlowInstructionBuilder = (scene) => {
  const after = scene.flow.after.get(scene.obligation);
  if (after === undefined) throw new Error(`${scene.flow.name} leaves no obligation`);
  return requestElevationGroup.build(KLEND_PROGRAM, {
    accounts: { owner: scene.user, obligation: scene.obligation, lendingMarket: scene.market },
    args: { elevationGroup: obligation.decode(after).elevationGroup },
    remaining: scene.positions,
  });
};

/** More leverage is bought with borrowed collateral, less of it with borrowed debt tokens. */
function flashAccounts(scene: FlowContext) {
  const { coll, debt, symbol = '' } = scene.parameters;
  const more = ['30-multiply-open', '31-multiply-more'].includes(scene.flow.name);
  const { address, liquidity } = scene.reserveOf((more ? coll : debt) ?? symbol);
  return {
    vault: liquidity.supplyVault,
    userToken: scene.ata(liquidity.mintPubkey),
    accounts: {
      userTransferAuthority: scene.user,
      lendingMarketAuthority: lendingMarketAuthority(scene.market),
      lendingMarket: scene.market,
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

const flashBorrow: FlowInstructionBuilder = (scene, found) => {
  const { accounts, vault, userToken } = flashAccounts(scene);
  return flashBorrowReserveLiquidity.build(KLEND_PROGRAM, {
    accounts: { ...accounts, reserveSourceLiquidity: vault, userDestinationLiquidity: userToken },
    args: { liquidityAmount: scene.amountOr(amountArgument(found, 'liquidityAmount')) },
  });
};

const flashRepay: FlowInstructionBuilder = (scene, found) => {
  const { accounts, vault, userToken } = flashAccounts(scene);
  const borrowInstructionIndex = found.before.findIndex(({ data }) =>
    bytesEqual(data.subarray(0, 8), flashBorrowReserveLiquidity.discriminator),
  );
  return flashRepayReserveLiquidity.build(KLEND_PROGRAM, {
    accounts: { ...accounts, reserveDestinationLiquidity: vault, userSourceLiquidity: userToken },
    args: {
      liquidityAmount: scene.amountOr(amountArgument(found, 'liquidityAmount')),
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
