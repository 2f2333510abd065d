import type { Address } from '@tidegate/core/base';
import { knownTokens, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { CodedError } from '../../errors/index.ts';

/** A token of the cluster, with its mainnet mint. */
export type GenesisToken = {
  readonly symbol: TokenSymbol;
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
  /** Total supply in whole tokens. The market maker holds whatever others do not. */
  readonly supply: bigint;
};

const SUPPLIES = {
  SOL: 0n,
  USDC: 900_000_000n,
  USDT: 400_000_000n,
  PYUSD: 150_000_000n,
  JitoSOL: 12_000_000n,
  bSOL: 900_000n,
  cbBTC: 5_200n,
  JLP: 300_000_000n,
  wETH: 90_000n,
  KMNO: 4_000_000_000n,
} as const;

export type TokenSymbol = keyof typeof SUPPLIES;

export const TOKEN_SYMBOLS = Object.keys(SUPPLIES).filter(isSymbol);

export const genesisTokens: ReadonlyMap<TokenSymbol, GenesisToken> = new Map(
  TOKEN_SYMBOLS.map((symbol) => [symbol, toGenesisToken(symbol)]),
);

export function tokenBySymbol(symbol: TokenSymbol): GenesisToken {
  const token = genesisTokens.get(symbol);
  if (token === undefined) throw missing(symbol);
  return token;
}

function isSymbol(text: string): text is TokenSymbol {
  return Object.hasOwn(SUPPLIES, text);
}

function toGenesisToken(symbol: TokenSymbol): GenesisToken {
  const knownToken = knownTokens.find((token) => token.verified && token.symbol === symbol);
  if (knownToken === undefined) throw missing(symbol);
  const { mint, decimals } = knownToken;
  const tokenProgram = symbol === 'PYUSD' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  return { symbol, mint, decimals, tokenProgram, supply: SUPPLIES[symbol] };
}

function missing(symbol: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: 'token list', reason: `${symbol} is missing` });
}
