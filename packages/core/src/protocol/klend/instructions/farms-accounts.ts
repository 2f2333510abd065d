import { optionalWrite } from '../../../base/solana/instruction.ts';

/**
 * The farm of the reserve that an operation changes and the obligation's state in it; absent
 * without a farm.
 */
export const farmsAccounts = {
  obligationFarmUserState: optionalWrite,
  reserveFarmState: optionalWrite,
};

/**
 * The same for an operation on both sides. The program gives each side the names above; a side
 * tells them apart.
 */
export const bothFarmsAccounts = {
  collateralObligationFarmUserState: optionalWrite,
  collateralReserveFarmState: optionalWrite,
  debtObligationFarmUserState: optionalWrite,
  debtReserveFarmState: optionalWrite,
};
