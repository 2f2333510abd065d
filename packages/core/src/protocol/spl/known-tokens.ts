import type { Address } from '../../base/encoding/address.ts';

export type Token = {
  readonly mint: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly logoUrl: string | null;
  readonly verified: boolean;
  /** In USD. Null if unknown. */
  readonly tradingVolume24H: number | null;
  readonly marketCapUsd: number | null;
  /** Display order, lower first. Only used to break ties. */
  readonly priority: number;
};

const LOGOS = 'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet';
const UNVERIFIED_PRIORITY = 1000;

/**
 * Well-known mainnet mints in the order of their priority, native SOL first. Mints, names and decimals are real. Volumes
 * and market caps are sample data for the embedded cluster.
 * Columns: mint, decimals, logo file, 24-hour volume, market cap, symbol, name.
 */
const verified = `
So11111111111111111111111111111111111111112   9 logo.png 3184220917.52 91877340211.06 SOL     Wrapped SOL
EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v  6 logo.png  2210448019.9    60118842077 USDC    USD Coin
Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB  6 logo.svg  611904377.18   3402118450.4 USDT    USDT
2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo  6 -          61377905.22   1010448233.1 PYUSD   PayPal USD
USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA   6 -           12904118.7    210448091.3 USDS    USDS
2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH  6 -           42118300.5    480233917.6 USDG    Global Dollar
9zNQRsGLjNKwCUU5Gq5LR8beUCPzQMVMqKAi3SSZh54u  6 -            3448117.6     70229337.8 FDUSD   First Digital USD
HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr  6 -            5117448.2     60338229.4 EURC    EURC
CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH  6 -            4229337.7     80117448.6 CASH    CASH
5YMkXAYccHSGnHn9nob9xEvv6Pvka9DZWH7nTbotTu9E  6 -             337228.4     20448117.3 hyUSD   Hylo USD
J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn  9 -          96120844.31  2310556020.75 JitoSOL Jito Staked SOL
mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So   9 logo.png   21004918.84    880112004.2 mSOL    Marinade staked SOL
jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v   9 -           18772040.1    790300482.6 JupSOL  Jupiter Staked SOL
bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1   9 logo.png     1228447.6    160337229.2 bSOL    BlazeStake Staked SOL
5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm  9 -            2117338.4    230228447.5 INF     Infinity
Dso1bDeDjCQxTrWHqUUi63oBvV7Mdm6WaobLbQ7gnPQ   9 -            1117229.8    140448117.6 dSOL    Drift Staked SOL
BNso1VUJnh4zcfpZa6986Ea66P6TCp59hvtNJ8b1X85   9 -           11228337.5   1410117338.8 BNSOL   Binance Staked SOL
Bybit2vBJGhPF52GBdNaQfUJ6ZpThSgHBobjWZpLPb4B  9 -            2228117.3    310337448.4 bbSOL   BybitSOL
he1iusmfkpAdwvxLNGV8Y1iSbj4rUy6yMhEA3fotn9A   9 -             447228.9     70117338.1 hSOL    Helius Staked SOL
27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4  6 -           48210377.6   1621004911.2 JLP     Jupiter Perps LP
cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij   8 -           88420117.4    612004480.9 cbBTC   Coinbase Wrapped BTC
3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh  8 logo.png    14230884.9    190447102.3 wBTC    Wrapped BTC (Portal)
6DNSN2BJsaPFdFFc1zP37kkeNe4Usc1Sqkzr9C9vPWcU  8 -                    -              - tBTC    Threshold Bitcoin
zBTCug3er3tLyffELcvDNrKkCymbPWysGcWihESYfLg   8 -            1448229.1     50117337.2 zBTC    zBTC
CtzPWv73Sn1dMGVU3ZtLv9yWSyUAanBni19YWDaznnkn  8 -            2337118.5     60228448.9 xBTC    OKX Wrapped BTC
LBTCgU4b3wsFKsPwBn1rRZDx5DoFutM6RPiEt1TPDsY   8 -                    -              - LBTC    Lombard Staked BTC
7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs  8 logo.png    38117402.6    402118377.5 wETH    Ether (Portal)
KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS   6 -            6204118.9    180229447.3 KMNO    Kamino
jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL   9 -           15118330.6    540229118.4 JTO     JITO
JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN   6 -          44920118.03   1420337904.8 JUP     Jupiter
HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3  6 -           17330902.8    690447118.2 PYTH    Pyth Network
DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263  5 -           52118904.4   1310449023.7 BONK    Bonk
EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm  6 -           31204778.2    520118447.9 WIF     dogwifhat
7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr  9 -            8330118.8    210337448.1 POPCAT  Popcat
MEW1gQWJ3nEXg2qgERiKu7FAFj79PHvQVREQUzScPP5   5 -            6447228.6    190229337.4 MEW     cat in a dogs world
4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R  6 logo.png    29447120.3    610338204.1 RAY     Raydium
orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE   6 logo.png     3118229.3    110228447.7 ORCA    Orca
hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux   8 -            4118330.4    420118229.5 HNT     Helium Network Token
rndrizKT3MK1iimdxRdWabcF7Zg7AR5T4nud4EkHBof   8 -            9118447.2   1110337228.9 RENDER  Render Token
85VBFQZC9TZkfaptBWjvUw7YbZjy52A6mjtPGjstQAmQ  6 -            5204447.7    390118337.6 W       Wormhole Token
DriFtupJYLTosbwoN8koMbEYSx54aFAVLddWsbksjwg7  6 -            2447337.1    130117228.3 DRIFT   Drift
pumpCmXqMfrsAkQ5r49WcJnRayYRqmXz6ae8H7H9Dfn   6 -           74118220.7   1510228334.6 PUMP    Pump
2zMMhcVQEXDtdE6vsFS7S7D5oUodfJHE8vd1gnBouauv  6 -           40338117.5   1230117448.2 PENGU   Pudgy Penguins
Grass7B4RdKfBCjTKgSqnXkqjwiGvQyFbuSCUJr3XXjs  9 -            3337448.9    170228117.9 GRASS   Grass
CLoUDKc4Ane7HeQcPpE3YHnznRxhMimJ4MyaUqyHFzAu  9 -             448117.7     30228337.9 CLOUD   Cloud
MNDEFzGvMt87ueuHvVU9VcTqsAP5b3fTGPsHuuPA5ey   9 logo.png      337448.3     40117228.8 MNDE    Marinade
ZEUS1aR7aX8DFFJf5QjWj2ftDDdNTroMNGo8YoQm3Gq   6 -             228337.6     50448117.1 ZEUS    ZEUS
METAwkXcqyXKy1AtsSgJ8JiUHwGCafnZL38n3vYmeta   6 -            1337228.8     90117448.5 META    META
4vMsoUT2BWatFweudnQM1xedRLfJgJ7hswhcpz4xgBTy  9 -                    -              - HONEY   HONEY
`;

/** Real but unverified mints. Two pairs share a symbol, and one has the symbol of a verified token. */
const unverified = `
DFTZmEopSWrj6YcsmQAAxypN7cHM3mnruEisJPQFJbs7  6 logo.png          38.2         4117.9 zBTC    zBTC (ACUMEN)
HCXXtXPasqcF4BVsrPQPfHMQPUofoCbDbjsTUANFSHDR  9 logo.png       1204.77              - MONKE   MONKE TOKEN
DJKX1cX2SPPaTdYBeuriUeQUUEpi2UGBGGPQthNMrgaa  9 logo.png             -              - MONKE   MONKE TOKEN
FdnEZ71hjabwo6Eo6XHGyK4QrE1tVQtBoTGMmgWYAuDn  6 logo.png             -              - GDoge   Gold Doge Solana
6SKogZxCWY9jKsKPMT3ChJUhQxAEeB6NjVidXQK6TEdW  1 Logo.png             -              - GDoge   Golden Doge Solana
BTmj9HU4iQeDGG9k9v1a1tmFJCF1wyDaTJYidPPo2Nk   6 logo.png             -              - FLWR    Flower
HDXJnHUdi11qNb2aJ4xVaAvvhgnrRVDbZ9ogw3d81ZYc  2 logo.png             -              - EGEM    ForgeBots Electrogems
7sFUYafvWaGKgDUyKviVKwLbCMxeZijaAiYPP4gB3fX   0 -                    -              - TEA     HonestTea
`;

export const knownTokens: readonly Token[] = [
  ...readRows(verified).map((row, index) => toToken(row, { verified: true, priority: index + 1 })),
  ...readRows(unverified).map((row) =>
    toToken(row, { verified: false, priority: UNVERIFIED_PRIORITY }),
  ),
];

function readRows(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((row) => row.split(/ +/));
}

function toToken(row: readonly string[], trust: Pick<Token, 'verified' | 'priority'>): Token {
  const [mint = '', decimals, logo, volume = '-', cap = '-', symbol = '', ...name] = row;
  return {
    mint: mint as Address,
    symbol,
    name: name.join(' '),
    decimals: Number(decimals),
    logoUrl: logo === '-' ? null : `${LOGOS}/${mint}/${logo}`,
    tradingVolume24H: parseUsd(volume),
    marketCapUsd: parseUsd(cap),
    ...trust,
  };
}

function parseUsd(text: string): number | null {
  return text === '-' ? null : Number(text);
}
