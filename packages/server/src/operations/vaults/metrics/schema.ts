import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, NullableString } from '../../../http/schemas/primitives.ts';

const metrics = {
  apy24h: describe(
    DecimalString,
    'Annualized growth of a share in tokens over 24 hours, as a fraction',
  ),
  apy7d: describe(
    DecimalString,
    'Annualized growth of a share in tokens over 7 days, as a fraction',
  ),
  apy30d: describe(
    DecimalString,
    'Annualized growth of a share in tokens over 30 days, as a fraction',
  ),
  apy90d: describe(
    DecimalString,
    'Annualized growth of a share in tokens over 90 days, as a fraction',
  ),
  apy180d: describe(
    DecimalString,
    'Annualized growth of a share in tokens over 180 days, as a fraction',
  ),
  apy365d: describe(
    DecimalString,
    'Annualized growth of a share in tokens over 365 days, as a fraction',
  ),
  apy: describe(DecimalString, 'Same as apyTheoretical; rewards are not included'),
  apyTheoretical: describe(
    DecimalString,
    'Yearly yield after fees if all tokens were allocated by weight, as a fraction',
  ),
  apyActual: describe(
    DecimalString,
    'Yearly yield after fees of the actual allocation, as a fraction',
  ),
  apyFarmRewards: describe(DecimalString, 'Yearly rewards of the farm of the vault, as a fraction'),
  apyIncentives: describe(DecimalString, 'Yearly season rewards, as a fraction'),
  apyReservesIncentives: describe(
    DecimalString,
    'Yearly rewards of the farms of the reserves, as a fraction',
  ),
  tokenPrice: describe(DecimalString, 'USD per whole token'),
  solPrice: describe(DecimalString, 'USD per SOL'),
  tokensAvailable: describe(DecimalString, 'Tokens in no reserve, in whole tokens'),
  tokensAvailableUsd: describe(DecimalString, 'Tokens in no reserve, in USD'),
  tokensInvested: describe(DecimalString, 'Tokens in reserves, in whole tokens'),
  tokensInvestedUsd: describe(DecimalString, 'Tokens in reserves, in USD'),
  sharePrice: describe(DecimalString, 'USD per whole share'),
  tokensPerShare: describe(DecimalString, 'Whole tokens per whole share'),
  sharesIssued: describe(DecimalString, 'Shares issued, in whole shares'),
  numberOfHolders: Type.Number({ description: 'Wallets with shares, staked or not' }),
  cumulativeInterestEarned: describe(
    DecimalString,
    'Interest since creation before fees, in whole tokens, as the account counts it: up to the last use of the vault',
  ),
  cumulativeInterestEarnedUsd: describe(
    DecimalString,
    'Interest since creation in USD, up to now, each interval at its own price',
  ),
  cumulativeInterestEarnedSol: describe(
    DecimalString,
    'Interest since creation in SOL, up to now, each interval at its own price',
  ),
  interestEarnedPerSecond: describe(
    DecimalString,
    'Interest per second after fees, in whole tokens',
  ),
  interestEarnedPerSecondUsd: describe(DecimalString, 'Interest per second after fees, in USD'),
  interestEarnedPerSecondSol: describe(DecimalString, 'Interest per second after fees, in SOL'),
  cumulativePerformanceFees: describe(
    DecimalString,
    'Performance fees since creation, in whole tokens, up to the last use of the vault',
  ),
  cumulativePerformanceFeesUsd: describe(
    DecimalString,
    'Performance fees since creation in USD, up to now, each interval at its own price',
  ),
  cumulativePerformanceFeesSol: describe(
    DecimalString,
    'Performance fees since creation in SOL, up to now, each interval at its own price',
  ),
  cumulativeManagementFees: describe(
    DecimalString,
    'Management fees since creation, in whole tokens, up to the last use of the vault',
  ),
  cumulativeManagementFeesUsd: describe(
    DecimalString,
    'Management fees since creation in USD, up to now, each interval at its own price',
  ),
  cumulativeManagementFeesSol: describe(
    DecimalString,
    'Management fees since creation in SOL, up to now, each interval at its own price',
  ),
};

export const VaultMetrics = Type.Object(metrics, { title: 'VaultMetrics' });

export const VaultMetricsPage = Type.Object({
  result: describe(
    Type.Array(
      Type.Object(
        { kvault: describe(AddressString, 'Address of the vault'), ...metrics },
        { title: 'VaultMetricsRow' },
      ),
    ),
    'Vaults of this page',
  ),
  paginationToken: describe(
    Type.Optional(NullableString),
    'Token of the next page; absent or null on the last page',
  ),
});
