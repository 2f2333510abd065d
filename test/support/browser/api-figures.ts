import type { FrozenApi, Json } from './frozen-api.ts';

/** Reserves of all listed markets. */
export async function readReserves(api: FrozenApi): Promise<Json[]> {
  const markets = (await api.get('/v2/svc-market')).items;
  const lists = await Promise.all(
    markets.map((market) =>
      api.get(`/svc-market/${market.at('lendingMarket').text}/reserves/metrics`),
    ),
  );
  return lists.flatMap(({ items }) => items);
}

/** USD per token of the first price that a market has in the answer. */
export const oraclePrice = async (api: FrozenApi, market: string): Promise<number> => {
  const { items } = await api.get('/oracles/prices');
  const own = items.find((each) => each.at('lendingMarket').text === market);
  return own?.at('prices', 0, 'price').number ?? Number.NaN;
};

/** What a wallet has, by kind. */
export const readWallet = async (api: FrozenApi, wallet: string) => {
  const portfolio = await api.get(`/portfolio/${wallet}`);
  const list = (...keys: readonly string[]) => keys.flatMap((key) => portfolio.at(key).items);
  return {
    loans: list('lending', 'multiply', 'leverage'),
    vaults: list('earn', 'privateCredit'),
    others: list('staking', 'ctokens'),
  };
};

/** The LTV of liquidation over the LTV. */
export const healthOf = (loan: Json): number =>
  loan.at('liquidationLtv').number / loan.at('ltv').number;

/** Fields of the metrics of a vault: all of its tokens in USD, and the yearly rates of its rewards. */
export const VAULT_VALUE = ['tokensAvailableUsd', 'tokensInvestedUsd'];
export const VAULT_REWARDS = ['apyFarmRewards', 'apyIncentives', 'apyReservesIncentives'];
