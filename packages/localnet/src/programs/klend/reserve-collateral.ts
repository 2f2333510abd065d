import type { Address } from '@tidegate/core/base';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  depositReserveLiquidity,
  redeemReserveCollateral,
} from '@tidegate/core/protocol/klend/instructions';
import type { Reserve } from '@tidegate/core/protocol/klend/layout';
import {
  accrueReserveToSlot,
  redeemCollateral,
  requireNoEmergencyMode,
  requireOpenReserve,
  supplyLiquidity,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requireNotReserveVault,
  requirePrograms,
} from './lending-constraints.ts';
import { requirePermission } from './permission-checks.ts';
import { writeReserve } from './position-accounts.ts';
import { burnCollateral, mintCollateral, transferLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
} from './user-token-accounts.ts';

/** cTokens in wallets, without obligations. The vault program calls these instructions. */
export const reserveCollateralHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(depositReserveLiquidity, 49_400, ({ accounts, args, remaining }, call) => {
    handleDeposit({ call, rules }, { accounts, remaining }, args.liquidityAmount);
  }),
  anchorHandler(redeemReserveCollateral, 36_800, ({ accounts, args }, call) => {
    handleRedeem({ call, rules }, accounts, args.collateralAmount);
  }),
];

type DepositInstruction = {
  readonly accounts: InstructionAccounts<typeof depositReserveLiquidity.accounts>;
  readonly remaining: readonly Address[];
};

function handleDeposit(
  lending: LendingCall,
  { accounts, remaining }: DepositInstruction,
  amount: bigint,
): void {
  const { call } = lending;
  const context = loadMarketContext(lending, accounts.lendingMarket);
  const before = readCheckedReserve(lending, accounts);
  const { market } = context;
  requirePermission(call, { market, reserves: [before], operation: 'deposit', remaining });
  const mint = accounts.reserveLiquidityMint;
  requireTokenAccount(call, {
    slot: 'userSourceLiquidity',
    address: accounts.userSourceLiquidity,
    mint,
  });
  requireTokenAccount(call, {
    slot: 'userDestinationCollateral',
    address: accounts.userDestinationCollateral,
    mint: accounts.reserveCollateralMint,
  });
  requireNotReserveVault(accounts.userSourceLiquidity, before.liquidity.supplyVault);
  requireNotReserveVault(accounts.userDestinationCollateral, before.collateral.supplyVault);
  requireOpenReserve(context, before);
  if (before.config.blockCtokenUsage !== 0) {
    throw klendRejection('CTokenUsageBlocked', 'the reserve gives out no cTokens');
  }
  requireSupportedExtensions(call, { mint, account: accounts.userSourceLiquidity });
  const { reserve, liquidity, collateral } = supplyLiquidity(
    accrueReserveToSlot(before, context),
    context,
    amount,
  );
  call.log(`pnl: Depositing in reserve ${accounts.reserve} liquidity ${liquidity}`);
  writeReserve(call, accounts.reserve, reserve);
  transferLiquidity(call, {
    mint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: accounts.userSourceLiquidity,
    destination: accounts.reserveLiquiditySupply,
    signer: { wallet: accounts.owner },
    amount: liquidity,
  });
  mintCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.userDestinationCollateral,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: collateral,
  });
}

function handleRedeem(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof redeemReserveCollateral.accounts>,
  collateral: bigint,
): void {
  const { call } = lending;
  const context = loadMarketContext(lending, accounts.lendingMarket);
  const before = readCheckedReserve(lending, accounts);
  const { owner, reserveLiquidityMint: mint, userDestinationLiquidity } = accounts;
  requireTokenAccount(call, {
    slot: 'userSourceCollateral',
    address: accounts.userSourceCollateral,
    mint: accounts.reserveCollateralMint,
  });
  requireTokenAccount(call, {
    slot: 'userDestinationLiquidity',
    address: userDestinationLiquidity,
    mint,
    owner,
  });
  requireNotReserveVault(accounts.userSourceCollateral, before.collateral.supplyVault);
  requireNotReserveVault(userDestinationLiquidity, before.liquidity.supplyVault);
  requireSupportedExtensions(call, { mint, account: userDestinationLiquidity });
  requireNoEmergencyMode(context, before);
  const { reserve, liquidity } = redeemCollateral(accrueReserveToSlot(before, context), context, {
    collateral,
  });
  call.log(`pnl: Redeeming reserve collateral ${liquidity}`);
  writeReserve(call, accounts.reserve, reserve);
  burnCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.userSourceCollateral,
    signer: { wallet: owner },
    amount: collateral,
  });
  transferLiquidity(call, {
    mint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: accounts.reserveLiquiditySupply,
    destination: userDestinationLiquidity,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: liquidity,
  });
}

type ReserveAccounts = {
  readonly reserve: Address;
  readonly lendingMarket: Address;
  readonly lendingMarketAuthority: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveLiquiditySupply: Address;
  readonly reserveCollateralMint: Address;
  readonly collateralTokenProgram: Address;
  readonly liquidityTokenProgram: Address;
  readonly instructionSysvarAccount: Address;
};

/** Checks the accounts of the reserve and loads it. */
function readCheckedReserve({ call }: LendingCall, accounts: ReserveAccounts): Reserve {
  const { reserve, lendingMarket, reserveLiquidityMint, liquidityTokenProgram } = accounts;
  requirePrograms(call, accounts, { collateralTokenProgram: TOKEN_PROGRAM });
  const fields = readReserve(call, reserve, { market: lendingMarket });
  requireMarketAuthority(call, lendingMarket, accounts.lendingMarketAuthority);
  requireAddresses(call, accounts, {
    reserveLiquidityMint: fields.liquidity.mintPubkey,
    reserveLiquiditySupply: fields.liquidity.supplyVault,
    reserveCollateralMint: fields.collateral.mintPubkey,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, reserveLiquidityMint, liquidityTokenProgram);
  return fields;
}
