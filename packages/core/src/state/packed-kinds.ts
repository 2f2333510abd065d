import { userState } from '../protocol/farms/layout/user-state.ts';
import { obligation } from '../protocol/klend/layout/obligation.ts';

/** The kinds that grow with the number of users. */
export const packedObligations = {
  account: obligation,
  group: 'lendingMarket',
  keys: ['owner'],
} as const;

export const packedFarmUsers = {
  account: userState,
  group: 'farmState',
  keys: ['owner', 'delegatee'],
} as const;
