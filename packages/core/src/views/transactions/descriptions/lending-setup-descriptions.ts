import {
  reserveConfigModes,
  updateReserveConfig,
} from '../../../protocol/klend/instructions/administration.ts';
import {
  initObligation,
  initObligationFarmsForReserve,
  initReferrerTokenState,
  initUserMetadata,
  requestElevationGroup,
} from '../../../protocol/klend/instructions/obligations.ts';
import {
  calculateCtokenExchangeRate,
  refreshObligation,
  refreshObligationFarmsForReserve,
  refreshReserve,
  refreshReservesBatch,
} from '../../../protocol/klend/instructions/refresh.ts';
import { type DescribedCodec, withDescription } from './instruction-description.ts';

const OBLIGATION = { notes: ['obligation'] } as const;

/** Setup, refresh and admin instructions of the lending program. */
export const lendingSetupDescriptions: readonly DescribedCodec[] = [
  withDescription(initUserMetadata, ({ accounts }, context) => {
    const referrer = accounts.referrerUserMetadata;
    const by = referrer === undefined ? '' : `, referred by the owner of ${context.name(referrer)}`;
    return `Register ${context.name(accounts.owner)} with the lending program${by}`;
  }),
  withDescription(
    initObligation,
    ({ accounts }, context) =>
      `Open a loan of ${context.name(accounts.obligationOwner)} in ${context.name(accounts.lendingMarket)}`,
    OBLIGATION,
  ),
  withDescription(
    initObligationFarmsForReserve,
    ({ accounts }, context) =>
      `Register ${context.name(accounts.obligation)} in ${context.name(accounts.reserveFarmState)}`,
    OBLIGATION,
  ),
  withDescription(
    initReferrerTokenState,
    ({ accounts }, context) =>
      `Create the account for the referrer fees of ${context.name(accounts.referrer)} from ${context.name(accounts.reserve)}`,
  ),
  withDescription(
    refreshReserve,
    ({ accounts }, context) =>
      `Update the interest and the price of ${context.name(accounts.reserve)}`,
  ),
  withDescription(refreshReservesBatch, ({ args }) =>
    args.skipPriceUpdates === 0
      ? 'Update the interest and the prices of several reserves'
      : 'Update the interest of several reserves',
  ),
  withDescription(
    calculateCtokenExchangeRate,
    ({ accounts }, context) => `Return the cToken rate of ${context.name(accounts.reserve)}`,
  ),
  withDescription(
    refreshObligation,
    ({ accounts }, context) =>
      `Update the debts and values of ${context.name(accounts.obligation)}`,
    OBLIGATION,
  ),
  withDescription(
    refreshObligationFarmsForReserve,
    ({ accounts }, context) =>
      `Update the rewards of ${context.name(accounts.obligation)} in ${context.name(accounts.reserveFarmState)}`,
    OBLIGATION,
  ),
  withDescription(
    requestElevationGroup,
    ({ accounts, args: { elevationGroup } }, context) =>
      elevationGroup === 0
        ? `Remove ${context.name(accounts.obligation)} from its elevation group`
        : `Move ${context.name(accounts.obligation)} into elevation group ${elevationGroup}`,
    OBLIGATION,
  ),
  withDescription(
    updateReserveConfig,
    ({ accounts, args: { mode } }, context) =>
      `Change a setting of ${context.name(accounts.reserve)}: ${reserveConfigModes[mode] ?? `number ${mode}`}`,
    { listName: 'value' },
  ),
];
