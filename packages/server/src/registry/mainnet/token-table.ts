/**
 * Tokens of reserves and vaults on mainnet-beta that `knownTokens` lacks, one per line: mint, decimals, symbol, logo URL or
 * `-`, name. A token whose symbol or decimals no public source states is absent; the catalogue then takes both from the chain.
 */

/** In a public list of verified tokens, or with a reserve in a listed market. */
export const verifiedTokenTable = `
XsbEhLAtcf6HdfpFZ5xEMdqW8nfAvcsP5bdudRLJzJp  8 AAPLx - Apple xStock
sctmY8fJucsJatwHz6P48RuWBBkdBMNmSMuBYrWFdrw  9 adraSOL https://app.adrastea.fi/adraSOL.png Adra LST
4yCLi5yWGzpTWMQ1iWHG5CrGYAdBkhyEdsuSugjDUqwj 6 ALP - Adrena Liquidity Pool Token
AUSD1jCcCyPLybk1YnvPWsHQSrZ46dxwoMniN4N2UEB9 6 AUSD - AUSD
BonK1YhkXEGLZzwtcvRTip3gAL9nCeQD7ppZBLXhtTs  9 bonkSOL https://arweave.net/ms-FdIyJ8TxEJOb2SAYhfyrLop7TDrCEjD-I-oIl5u4 bonkSOL
CDCSoLckzozyktpAp9FWT3w92KFJVEUxAU7cNu2Jn3aX 9 CDCSOL https://arweave.net/12xEvVVvGFM5n5U6ILXdShlLtUJOT1gUQTlSy8sGybg Crypto.com Staked SOL
CgnTSoL3DgY9SFHxcLj6CgCgKKoTBr6tp4CPAEWy25DE 9 cgntSOL https://cogent-cogs.s3.us-west-2.amazonaws.com/cgntSOL.png Cogent SOL
3jsFX1tx2Z8ewmamiwSU851GzyzM2DJMq7KWW5DM8Py3 8 CHAI - CHAI
XsueG8BtpquVJX9LVLLEGuViXUungE6WmK5YZ3p3bd1  8 CRCLx - Circle xStock
sctmB7GPi5L2Q5G9tUSzXvhZ4YiDMEGcRov9KfArQpx  9 dfdvSOL https://pbs.twimg.com/profile_images/1897064824317861888/I02i5oX3_400x400.jpg DeFi Development Corp Staked SOL
3ThdFZQKM6kRyVGLG48kaPg5TRMhYMKY1iCRa9xop1WC 6 eUSX - eUSX
9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump 6 FARTCOIN - Fartcoin
NUZ3FDWTtN5SP72BsefbsqpnbAY5oe21LE8bCSkqsEK  6 FLP.1 - FLP.1
7GzQgf6DPo6ZANjnbhe9tNCpkGTv3zqHbsDx74jyQf9  6 FWDI - FWDI
CzLSujWBLFsSjncfkh59rUFqvafWcY5tzedWJSuypump 6 GOAT - Goatseus Maximus
XsCPL9dNWBMvFtTmwcCA5v3xWPSMEBCszbQdiLLq6aN  8 GOOGLx - Alphabet xStock
XsvNBAYkrDRNhA7wPHQfX3ZUXZyZLdnCQDfHZ56bzpg  8 HOODx - Robinhood xStock
HUBsveNpjo5pWqNkH57QzxjQASdTVXcSK7bVKTSZtcSX 9 hubSOL https://arweave.net/RI0OfNg4Ldn5RRdOp9lE60NqUmweGtJxF5N8JjU_Y0k SolanaHub staked SOL
7Q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9Dcavn 9 JSOL https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/7Q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9Dcavn/logo.svg JPOOL Solana Token
kySo1nETpsZE2NWe5vj2C64mPSciH1SppmHb4XieQ7B  9 kySOL - Kyros Restaked SOL
LAinEtNLgpmCP9Rvsf5Hn8W6EhNiKLZQti1xfWMLy6X  9 laineSOL https://vvmbtadq63n53sdsqhlzbnzhvj5tdfp7moqixyv7rgkk6frqhqqq.arweave.net/rVgZgHD2293IcoHXkLcnqnsxlf9joIviv4mUrxYwPCE Laine Stake Token
LnTRntk2kTfWEY6cVB8K9649pgJbt6dJLS1Ns1GZCWg  9 lanternSOL https://arweave.net/juI8rxciTff6pljaDiXMEq5klSOngQol_8lvyokGGwY Lantern Staked SOL
Xsa62P5mvPszXL1krVUnU5ar38bBSVcWAB6fmPCo5Zu  8 METAx - Meta xStock
METAewgxyPbgwsseH8T16a39CQ5VyVxZi9zXiDPY18m  6 MPLX https://arweave.net/VRKOcXIvCxqp35RZ9I0-bDGk5qNfT46OTho-2oP9iGc Metaplex Token
XsP7xzNPvEHS1m6qfanPUGjNmdnmsLKEoNAnHjdxxyZ  8 MSTRx - MicroStrategy xStock
Xsc9qvGR1efVDFGLrVsmkzv3qi45LTBjeUKSPmx9qEh  8 NVDAx - NVIDIA xStock
sctmTAsDn4tLUcemqoqYijfuRkiEfAMPi84PNq2EueR  9 nxSOL https://arweave.net/yIhHVanYDPbqPtBz2dx3Ew8kvY0GWUk9Et3u3ukjgms Nansen Staked SOL
5Y8NV33Vv7WbnLfq3zBcKSdYPrk7g2KoiQoe7M2tcxp5 9 ONyc - ONyc
picobAEvs6w7QEknPce34wAE4gknZA9v5tTonnmHYdX  9 picoSOL https://arweave.net/zR2ZKXpwmG4hMpqhGXlvz-B7PMs34cXxVb2gC1DmlDo picoSOL
4LLbsb5ReP3yEtYzmXewyGjcir5uXtKFURtaEUVC2AHs 6 PRCL https://ipfs.filebase.io/ipfs/QmVDpnYjKMCBdmqGddQNyW8cc3tBU5cKZFiSV5y18J5YnK Parcl
pSo1f9nQXWgXibFtKf7NWYxb5enAM4qfP6UJSiXRQfL  9 PSOL https://assets.phantom.app/assets/metadata/PSOL.png Phantom Staked SOL
59obFNBzyTBGowrkif5uK7ojS58vsuWz3ZCvg6tfZAGw 6 PST - PayFi Strategy Token
6oiDcfve7ybKUC8ysZmncC9iSuxQG2vrRkh3dgV7EKR4 6 PT-eUSX-11MAR26 - PT-eUSX-11MAR26
8adRViFUNTe3yexj2gbQtx929zBJtWJRM8TeTzYbQBgx 9 PT-fragSOL-10JUL25 - PT-fragSOL-10JUL25
Aby6y5DYtTrhQD8i7JXLs4H3jdUTwSXDraYqnwn5tKbt 9 PT-fragSOL-31OCT25 - PT-fragSOL-31OCT25
FxT7bPGvkS5jKF2vgnJ16MciHqtsNqxbcWTfFg7L136h 9 PT-kySOL-15JUN25 - PT-kySOL-15JUN25
7vWj1UriSscGmz5wadAC8EkA8ndoU3M7WUifqxTC3Ysf 6 PT-USX-09FEB26 - PT-USX-09FEB26
Xs8S1uUs1zvS2p7iwtsG3b6fkhpvmwz4GYU3gWAmWHZ  8 QQQx - Nasdaq xStock
59CwZq5b6drmDizgGfxECG7f16hxDpG1nXrxPoQx4y8g 6 sACRED - sACRED
XsoCS1TfEyfFhfvj8EtZ528L3CaKBDBRqRapnBbDF2W  8 SPYx - SP500 xStock
StepAscQoEioFxxWGnh2sLBDFp9d8rvKz2Yp39iDpyT  9 STEP https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/StepAscQoEioFxxWGnh2sLBDFp9d8rvKz2Yp39iDpyT/logo.png Step
strng7mqqc1MBJJV6vMzYbEqnwVGvKKGKedeCvtktWA  9 strongSOL https://shdw-drive.genesysgo.net/CqCTE2k6ext17JLE7EFk6pXAznS7m1rLJaN9nHxUAwpc/stronghold.png Stronghold LST
7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj 9 stSOL https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj/logo.png Lido Staked SOL
Eh6XEPhSwoLv5wFApukmnaVSHQ6sAnoD9BmgmwQoN2sN 9 sUSDe - Staked USDe
AvZZF1YaZDziPY2RCK4oJrRVrbN3mTD9NL24hPeaZeUj 6 syrupUSDC - Syrup USDC
TNSRxcUxoT9xBG3de7PiJyTDYu7kskLqcpddxnEJAS6  9 TNSR https://arweave.net/beGAyeIzjV_UkyjFtxbkZyi_YqfOBWayiQ0B6wqWygY Tensor
6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN 6 TRUMP - TRUMP
XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB  8 TSLAx - Tesla xStock
DEkqHyPN7GMRJ5cArtQFAWefqbZb33Hyf6s5iCwjEonT 9 USDe - USDe
USDH1SM1ojwWUga67PGrgFWUHibbjqMvuMaDkRJTgkX  6 USDH https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/USDH1SM1ojwWUga67PGrgFWUHibbjqMvuMaDkRJTgkX/usdh.svg USDH Hubble Stablecoin
6FrrzDk5mQARGc1TDYoyVnSyRdds1t4PbtohCD6p3tgG 6 USX - USX
7kbnvuGBxxj8AG9qp8Scn56muWGaRaFqxg1FsRp3PaFT 6 UXD https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/7kbnvuGBxxj8AG9qp8Scn56muWGaRaFqxg1FsRp3PaFT/uxd-icon-black.png UXD Stablecoin
vSoLxydx6akxyMD9XEcPvGYNGq6Nn66oqVb3UkGkei7  9 vSOL https://bafkreig55mf3lazzbgndiqyqvdmchdsykvvebww7cqlws6ywgog5xfdzta.ipfs.nftstorage.link/ The Vault
WENWENvqqNya429ubCdR81ZmD69brwQaaBYY6p3LCpk  5 WEN https://shdw-drive.genesysgo.net/GwJapVHVvfM4Mw4sWszkzywncUWuxxPd6s9VuFfXRgie/wen_logo.png Wen
ZScHuTtqZukUrtZS43teTKGs2VqkKL8k4QCouR2n6Uo  8 wstETH https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/ZScHuTtqZukUrtZS43teTKGs2VqkKL8k4QCouR2n6Uo/logo.png Lido Wrapped Staked ETH
xStpgUCss9piqeFUk2iLVcvJEGhAdJxJQuwLkXP555G  9 xSTEP https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet/xStpgUCss9piqeFUk2iLVcvJEGhAdJxJQuwLkXP555G/logo.svg Staked Step
`;

export const unverifiedTokenTable = `
GSoLRcWKQE5nbWTYFr83Ei3HGjnp9YzQNAFK6VAATg3  9 GSOL - GSOL
USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB  6 USD1 - World Liberty Financial USD
GB2Y9s7N9HcpCmrqyByygMfRsJDLH1Gt7wasTtczohYL 9 wstacSOL - wstacSOL
ALR5X2H6THn2VDPoMtkVwxVktcN1kQGvxCwLfejzpump 6 WURK - WURK
`;
