import { optionalWrite } from '../../../base/solana/instruction.ts';

/** The farm of the changed reserve and the obligation's user state in it. Absent without a farm. */
export const farmsAccounts = {
  obligationFarmUserState: optionalWrite,
  reserveFarmState: optionalWrite,
};

/** The farm accounts of an operation on a collateral and a debt. The program has no prefixes in these names. */
export const bothFarmsAccounts = {
  collateralObligationFarmUserState: optionalWrite,
  collateralReserveFarmState: optionalWrite,
  debtObligationFarmUserState: optionalWrite,
  debtReserveFarmState: optionalWrite,
};
