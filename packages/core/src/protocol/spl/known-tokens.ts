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
 * Well-known mainnet mints in the order of their priority, native SOL first.
 * Columns: mint, decimals, symbol, logo (a URL, a file of the token list, or `-`), name.
 */
const verified = `
So11111111111111111111111111111111111111112  9 SOL     logo.png Wrapped SOL
EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v 6 USDC    logo.png USD Coin
Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB 6 USDT    logo.svg USDT
2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo 6 PYUSD   https://424565.fs1.hubspotusercontent-na1.net/hubfs/424565/PYUSDLOGO.png PayPal USD
USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA  6 USDS    - USDS
2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH 6 USDG    - Global Dollar
9zNQRsGLjNKwCUU5Gq5LR8beUCPzQMVMqKAi3SSZh54u 6 FDUSD   - First Digital USD
HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr 6 EURC    https://www.circle.com/hubfs/Brand/EURC/EURC-icon_128x128.png EURC
CASHx9KJUStyftLFWGvEVf59SGeG9sh5FfcnZMVPCASH 6 CASH    - CASH
5YMkXAYccHSGnHn9nob9xEvv6Pvka9DZWH7nTbotTu9E 6 hyUSD   - Hylo USD
J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn 9 JitoSOL https://storage.googleapis.com/token-metadata/JitoSOL-256.png Jito Staked SOL
mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So  9 mSOL    logo.png Marinade staked SOL
jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v  9 JupSOL  https://static.jup.ag/jupSOL/icon.png Jupiter Staked SOL
bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1  9 bSOL    logo.png BlazeStake Staked SOL
5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm 9 INF     https://bafkreiflz2xxkfn33qjch2wj55bvbn33q3s4mmb6bye5pt3mpgy4t2wg4e.ipfs.nftstorage.link/ Infinity
Dso1bDeDjCQxTrWHqUUi63oBvV7Mdm6WaobLbQ7gnPQ  9 dSOL    https://drift-public.s3.eu-central-1.amazonaws.com/dSOL.svg Drift Staked SOL
BNso1VUJnh4zcfpZa6986Ea66P6TCp59hvtNJ8b1X85  9 BNSOL   https://arweave.net/LepI-hea-JrbLMb4L_HpMzaq9k0aHY2-lVSGiBtwvFM?ext=png Binance Staked SOL
Bybit2vBJGhPF52GBdNaQfUJ6ZpThSgHBobjWZpLPb4B 9 bbSOL   https://static.bymj.io/web3/staking/bbsol/bbsol2.png BybitSOL
he1iusmfkpAdwvxLNGV8Y1iSbj4rUy6yMhEA3fotn9A  9 hSOL    https://raw.githubusercontent.com/igneous-labs/lst-offchain-metadata/master/hSOL/hSOL.png Helius Staked SOL
27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4 6 JLP     https://static.jup.ag/jlp/icon.png Jupiter Perps LP
cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij  8 cbBTC   - Coinbase Wrapped BTC
3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh 8 wBTC    logo.png Wrapped BTC (Portal)
6DNSN2BJsaPFdFFc1zP37kkeNe4Usc1Sqkzr9C9vPWcU 8 tBTC    https://bafybeidlxvypapcw2gbs7f2mazbub75kiphz4fgrmljgdjoiswmx32zkri.ipfs.dweb.link/ Threshold Bitcoin
zBTCug3er3tLyffELcvDNrKkCymbPWysGcWihESYfLg  8 zBTC    - zBTC
CtzPWv73Sn1dMGVU3ZtLv9yWSyUAanBni19YWDaznnkn 8 xBTC    - OKX Wrapped BTC
LBTCgU4b3wsFKsPwBn1rRZDx5DoFutM6RPiEt1TPDsY  8 LBTC    - Lombard Staked BTC
7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs 8 wETH    logo.png Ether (Portal)
KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS  6 KMNO    https://cdn.kamino.finance/kamino.svg Kamino
jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL  9 JTO     https://metadata.jito.network/token/jto/image JITO
JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN  6 JUP     https://static.jup.ag/jup/icon.png Jupiter
HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3 6 PYTH    https://pyth.network/token.svg Pyth Network
DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263 5 BONK    https://arweave.net/hQiPZOsRZXGXBJd_82PhVdlM_hACsT_q6wqwf5cSY7I?ext=png Bonk
EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm 6 WIF     https://bafkreibk3covs5ltyqxa272uodhculbr6kea6betidfwy3ajsav2vjzyum.ipfs.nftstorage.link dogwifhat
7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr 9 POPCAT  https://bafkreidvkvuzyslw5jh5z242lgzwzhbi2kxxnpkic5wsvyno5ikvpr7reu.ipfs.nftstorage.link Popcat
MEW1gQWJ3nEXg2qgERiKu7FAFj79PHvQVREQUzScPP5  5 MEW     https://bafkreidlwyr565dxtao2ipsze6bmzpszqzybz7sqi2zaet5fs7k53henju.ipfs.nftstorage.link/ cat in a dogs world
4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R 6 RAY     logo.png Raydium
orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE  6 ORCA    logo.png Orca
hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux  8 HNT     https://shdw-drive.genesysgo.net/CsDkETHRRR1EcueeN346MJoqzymkkr7RFjMqGpZMzAib/hnt.png Helium Network Token
rndrizKT3MK1iimdxRdWabcF7Zg7AR5T4nud4EkHBof  8 RENDER  https://shdw-drive.genesysgo.net/5zseP54TGrcz9C8HdjZwJJsZ6f3VbP11p1abwKWGykZH/rndr.png Render Token
85VBFQZC9TZkfaptBWjvUw7YbZjy52A6mjtPGjstQAmQ 6 W       https://wormhole.com/token.png Wormhole Token
DriFtupJYLTosbwoN8koMbEYSx54aFAVLddWsbksjwg7 6 DRIFT   https://metadata.drift.foundation/drift.png Drift
pumpCmXqMfrsAkQ5r49WcJnRayYRqmXz6ae8H7H9Dfn  6 PUMP    - Pump
2zMMhcVQEXDtdE6vsFS7S7D5oUodfJHE8vd1gnBouauv 6 PENGU   - Pudgy Penguins
Grass7B4RdKfBCjTKgSqnXkqjwiGvQyFbuSCUJr3XXjs 9 GRASS   - Grass
CLoUDKc4Ane7HeQcPpE3YHnznRxhMimJ4MyaUqyHFzAu 9 CLOUD   https://arweave.net/N7vCgQdgQ-fab28zEB4m8QRLMwI91_KcXI-Gtr151gg Cloud
MNDEFzGvMt87ueuHvVU9VcTqsAP5b3fTGPsHuuPA5ey  9 MNDE    logo.png Marinade
ZEUS1aR7aX8DFFJf5QjWj2ftDDdNTroMNGo8YoQm3Gq  6 ZEUS    https://raw.githubusercontent.com/ZeusNetworkHQ/zeus-metadata/master/logo-v1.png ZEUS
METAwkXcqyXKy1AtsSgJ8JiUHwGCafnZL38n3vYmeta  6 META    - META
4vMsoUT2BWatFweudnQM1xedRLfJgJ7hswhcpz4xgBTy 9 HONEY   https://hivemapper-marketing-public.s3.us-west-2.amazonaws.com/Hivemapper_HONEY_token.png HONEY
`;

/** Real but unverified mints. Two pairs share a symbol, and one has the symbol of a verified token. */
const unverified = `
DFTZmEopSWrj6YcsmQAAxypN7cHM3mnruEisJPQFJbs7 6 zBTC    logo.png zBTC (ACUMEN)
HCXXtXPasqcF4BVsrPQPfHMQPUofoCbDbjsTUANFSHDR 9 MONKE   logo.png MONKE TOKEN
DJKX1cX2SPPaTdYBeuriUeQUUEpi2UGBGGPQthNMrgaa 9 MONKE   logo.png MONKE TOKEN
FdnEZ71hjabwo6Eo6XHGyK4QrE1tVQtBoTGMmgWYAuDn 6 GDoge   logo.png Gold Doge Solana
6SKogZxCWY9jKsKPMT3ChJUhQxAEeB6NjVidXQK6TEdW 1 GDoge   Logo.png Golden Doge Solana
BTmj9HU4iQeDGG9k9v1a1tmFJCF1wyDaTJYidPPo2Nk  6 FLWR    logo.png Flower
HDXJnHUdi11qNb2aJ4xVaAvvhgnrRVDbZ9ogw3d81ZYc 2 EGEM    logo.png ForgeBots Electrogems
7sFUYafvWaGKgDUyKviVKwLbCMxeZijaAiYPP4gB3fX  0 TEA     - HonestTea
`;

/** Without market data, which a list cannot know. */
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
  const [mint = '', decimals, symbol = '', logo = '-', ...name] = row;
  return {
    mint: mint as Address,
    symbol,
    name: name.join(' '),
    decimals: Number(decimals),
    logoUrl: logo === '-' ? null : new URL(logo, `${LOGOS}/${mint}/`).href,
    tradingVolume24H: null,
    marketCapUsd: null,
    ...trust,
  };
}
