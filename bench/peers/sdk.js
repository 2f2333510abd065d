import {
  getTokenOracleDataSync,
  KaminoMarket,
  KaminoObligation,
  KaminoReserve,
  LendingMarket,
  Obligation,
  Reserve,
  VaultState,
} from '@kamino-finance/klend-sdk';

const SLOT_MS = 400;

/** @param {import('../decode.ts').DecodeInput} input */
export function decodeTasks({ reserves, obligations, vaultStates }) {
  return {
    reserve: over(Reserve, reserves),
    obligation: over(Obligation, obligations),
    vaultState: over(VaultState, vaultStates),
  };
}

function over(kind, accounts) {
  const buffers = accounts.map(({ data }) => Buffer.from(data));
  return {
    inputs: buffers.length,
    run: (input) => kind.decode(buffers[input]),
    sample: () => buffers.map((buffer) => toOurForm(kind.decode(buffer).toJSON())),
  };
}

/** The SDK has a 256-bit number as four words, and another name for the first borrow order. */
function toOurForm(json) {
  const text = JSON.stringify(json).replaceAll('"borrowOrder":', '"headBorrowOrder":');
  return JSON.parse(text, (name, value) =>
    name === 'value' && Array.isArray(value)
      ? value.reduceRight((high, word) => (high << 64n) | BigInt(word), 0n)
      : value,
  );
}

/**
 * As `KaminoMarket.batchGetAllObligationsForMarket` does it, without the network: rates are computed once
 * per reserve and shared by all obligations.
 *
 * @param {import('../math.ts').MathInput} input
 */
export function statsTasks({ at, markets, reserves, oracles, obligations }) {
  const loaded = loadMarkets({ markets, reserves, oracles });
  const buffers = obligations.map(({ data }) => Buffer.from(data));
  const exchangeRates = new Map();
  const borrowRates = new Map();
  const run = (input) => {
    const state = Obligation.decode(buffers[input]);
    const { deposits, borrows } = state;
    const market = loaded.get(state.lendingMarket);
    KaminoObligation.addRatesForObligation(
      market,
      deposits,
      borrows,
      exchangeRates,
      borrowRates,
      at.slot,
    );
    return new KaminoObligation(market, state.owner, state, exchangeRates, borrowRates)
      .refreshedStats;
  };
  const sample = () =>
    buffers.map((_, input) => {
      const { borrowLimit, userTotalDeposit, userTotalBorrow } = run(input);
      return {
        borrowLimit: borrowLimit.toFixed(),
        userTotalDeposit: userTotalDeposit.toFixed(),
        userTotalBorrow: userTotalBorrow.toFixed(),
      };
    });
  return { stats: { inputs: buffers.length, run, sample } };
}

function loadMarkets({ markets, reserves, oracles }) {
  const states = reserves.map(({ address, data }) => ({
    address,
    state: Reserve.decode(Buffer.from(data)),
  }));
  const prices = getTokenOracleDataSync(new Map(oracles.map(asFetched)), states);
  const loaded = prices.map(([{ address, state }, price]) =>
    KaminoReserve.initialize(address, state, price, undefined, SLOT_MS),
  );
  return new Map(
    markets.map(({ address, data }) => {
      const own = loaded.filter(({ state }) => state.lendingMarket === address);
      const byAddress = new Map(own.map((reserve) => [reserve.address, reserve]));
      const state = LendingMarket.decode(Buffer.from(data));
      return [address, KaminoMarket.createMarket(undefined, state, address, byAddress, SLOT_MS)];
    }),
  );
}

/** The form of an RPC node's answer. */
function asFetched({ address, owner, data }) {
  const encoded = [Buffer.from(data).toString('base64'), 'base64'];
  return [address, { address, programAddress: owner, data: encoded }];
}
